"""A tiny web server in a thread, which notes what it is sent and answers as a test wants it."""

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Listener(ThreadingHTTPServer):
    """``heard`` are (path, headers in small letters, body); ``answer`` is (status, headers), or "hang"."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.heard, self.answer, self.over = [], (200, {}), threading.Event()

    @property
    def port(self):
        return self.server_address[1]

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/hook?key=of-it"


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.heard.append((self.path, headers, body))
        if self.server.answer == "hang":
            self.server.over.wait()  # answers nothing for as long as the test lasts
            return
        if self.server.answer == "drip":
            self.wfile.write(b"HTTP/1.1 200 OK\r\n")
            while not self.server.over.wait(0.02):  # a byte now and then, for ever
                try:
                    self.wfile.write(b"x")
                except OSError:
                    return
            return
        status, headers = self.server.answer
        self.send_response(status)
        for name, value in {"Content-Length": "3", **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(b"ok\n")

    def log_message(self, *_):
        pass


@contextmanager
def listening():
    server = Listener()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.over.set()
        server.shutdown()
        server.server_close()
        thread.join()
