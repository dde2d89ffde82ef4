"""A page whose truth is known: it says when it got an input and drew, and paints the number of each drawing.

It talks to a server of the test, not to the driver. Its stripes are the bits of a number, black and white, so that
no coding of a video can mistake them.
"""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import av

SIZE = 240, 480  # CSS px; small, so that pictures cost little
BITS, ROW_PX = 12, 16  # stripes of the number, each so high, from the top
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Scene</title><style>
body { margin: 0; background: #fff }
#stripes div { height: 16px } button, input { display: block; margin: 8px 20px; height: 24px }
</style><body><div id="stripes"></div>
<button id="go">Go on</button><button aria-label="Close it">x</button><input placeholder="Your name">
<p id="said">nothing yet</p><div style="height: 3000px"></div>
<script>
const BITS = 12
stripes.innerHTML = '<div></div>'.repeat(BITS)
const wall = at => performance.timeOrigin + at
const tell = said => fetch('/told', {method: 'POST', body: JSON.stringify(said)})
let number = 0
function draw() {
  number += 1
  for (let bit = 0; bit < BITS; bit++) stripes.children[bit].style.background = number >> bit & 1 ? '#000' : '#fff'
  return wall(performance.now())
}
for (const kind of ['touchstart', 'keydown']) addEventListener(kind, event => {
  if (kind === 'keydown' ? event.key.length > 1 : event.target.localName === 'input') return
  tell({input: wall(event.timeStamp)})
  const drawn = []
  const each = () => {
    drawn.push(draw())
    if (drawn.length < 12) requestAnimationFrame(each); else tell({drawn})
  }
  setTimeout(() => requestAnimationFrame(each), 150)
}, {passive: true})
const roll = () => Math.floor(Math.random() * 1e9)
go.onclick = () => { said.textContent = 'tapped ' + localStorage.getItem('who') + ' ' + roll() }
const wanted = new URLSearchParams(location.search).getAll('do')
if (wanted.includes('log')) console.warn('low on fuel')
if (wanted.includes('alert')) alert('Rate this app')
const denied = () => { said.textContent = 'denied' }
if (wanted.includes('ask')) navigator.geolocation.getCurrentPosition(console.log, denied)
if (wanted.includes('throw')) throw new Error('no such thing')
</script></body></html>
"""


class Scene:
    """The page's address, and what it told."""

    def __init__(self, address):
        self.address = address
        self.told = []
        self.agents = set()

    def last(self, key):
        """Return what was told last of this."""
        return [said[key] for said in self.told if key in said][-1]


@contextmanager
def served():
    """Serve the page; give the Scene."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            found = not self.path.startswith("/lost")
            body = (PAGE if found else "gone").encode()
            scene.agents.add(self.headers["User-Agent"])
            self.send_response(200 if found else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self):
            scene.told.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    scene = Scene(f"http://scene.localhost:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield scene
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def frames_of(video):
    """Return of each frame its ms after the first and the number that it shows; and the comment of the file."""
    with av.open(str(video)) as container:
        stream = container.streams.video[0]
        shown = [
            (float(frame.pts * stream.time_base) * 1000, number_in(frame)) for frame in container.decode(stream)
        ]
        return shown, container.metadata["comment"]


def number_in(frame):
    """Return the number whose bits the stripes are; 0 for a page without them."""
    grey = frame.to_ndarray(format="gray")
    middles = [grey[int((bit + 0.5) * ROW_PX) * frame.width // SIZE[0], frame.width // 2] for bit in range(BITS)]
    return sum(1 << bit for bit, level in enumerate(middles) if level < 64)
