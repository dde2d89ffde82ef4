"""When the user acted, where nobody said it: what a recording shows of it, proposed with its evidence."""
