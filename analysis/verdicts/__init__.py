"""From run values to verdicts, severities, risk, patterns and the sentences that say them."""
