"""Starting UPReg on one machine: the login, the samples, the worker beside the web server."""
