"""The client for farm hosts and build servers: brings recordings in, asks for comparisons and the gate.

It needs httpx and rich alone and imports nothing of the server, so that a host can install this folder by itself.
"""

VERSION = "0.1.0"
