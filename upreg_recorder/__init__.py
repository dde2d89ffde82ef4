"""Runs the same apps on the old and the new OS version, films them, and delivers what UPReg reads.

By itself on farm hosts: no Django, nothing of the server.
"""

VERSION = "0.1.0"
