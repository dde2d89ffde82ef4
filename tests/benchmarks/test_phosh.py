"""Films of a phone's own shell: what goes over the wire, what counts as an answer, and what the tables say.

The shell itself is started by the benchmark alone; here a compositor of a few lines takes its place.
"""

import array
import configparser
import mmap
import os
import socket
import struct
import threading
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
import pandas as pd
import pytest

from benchmarks.flutter.app.scenes import swipe, tap
from benchmarks.flutter.filming import NothingShownError
from benchmarks.phones.filming import Take
from benchmarks.phosh import __main__ as command
from benchmarks.phosh import filming, qt, session
from benchmarks.phosh.filming import Look, do, is_own, taken
from benchmarks.phosh.interactions import INTERACTIONS, Interaction, turn
from benchmarks.phosh.session import MissingError
from benchmarks.phosh.wayland import Hand, Recorder

OFFERS = (
    "wl_output",
    "wl_shm",
    "zwlr_screencopy_manager_v1",
    "zwlr_virtual_pointer_manager_v1",
    "zwp_virtual_keyboard_manager_v1",
)
WIDTH, HEIGHT, STRIDE = 6, 4, 32  # px, px, bytes: two px more than are shown


class Compositor:
    """Answers as protocols have it: registry 2, every object named by who asks for it."""

    def __init__(self, path, shades=(), upside_down=False, fails=False):
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(str(path))
        self._server.listen(1)
        self._shades, self._upside_down = list(shades), upside_down
        self._fails = fails
        self.asked, self.kinds, self.keymap, self.copies = [], {}, b"", []
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def end(self):
        self._thread.join(5)
        self._line.close()
        self._server.close()
        for file in self._files:
            os.close(file)

    def _serve(self):
        self._line, _ = self._server.accept()
        unread, self._files = b"", []
        while True:
            data, beside, _, _ = self._line.recvmsg(65536, 1024)
            if not data:
                return
            for _, _, fds in beside:
                self._files += array.array("i", fds)
            unread += data
            while len(unread) >= 8 and len(unread) >= (size := struct.unpack("I", unread[4:8])[0] >> 16):
                thing, word = struct.unpack("II", unread[:8])
                body, unread = unread[8:size], unread[size:]
                self._answer(thing, word & 0xFFFF, body)

    def _say(self, thing, event, body=b""):
        self._line.sendall(struct.pack("II", thing, (len(body) + 8) << 16 | event) + body)

    def _offer(self, number, name):
        text = name.encode() + b"\0"
        text = struct.pack("I", len(text)) + text + bytes(-len(text) % 4)
        self._say(2, 0, struct.pack("I", number) + text + struct.pack("I", 1))

    def _answer(self, thing, request, body):
        kind = self.kinds.get(thing, "")
        if (thing, request) == (1, 0):
            self._say(struct.unpack("I", body)[0], 0, struct.pack("I", 1))
        elif (thing, request) == (1, 1):
            for number, name in enumerate(OFFERS, 40):
                self._offer(number, name)
        elif thing == 2:
            length = struct.unpack("I", body[4:8])[0]
            self.kinds[struct.unpack("I", body[-4:])[0]] = body[8 : 7 + length].decode()
        elif kind == "zwlr_virtual_pointer_manager_v1":
            self.kinds[struct.unpack("II", body)[1]] = "pointer"
            self._offer(90, "wl_seat")  # only now, as wlroots has it
        elif kind == "zwp_virtual_keyboard_manager_v1":
            seat, keyboard = struct.unpack("II", body)
            assert self.kinds[seat] == "wl_seat"
            self.kinds[keyboard] = "keyboard"
        elif kind == "keyboard":
            self.keymap = os.pread(self._files[-1], struct.unpack("II", body)[1], 0)
        elif kind == "wl_shm":
            pool, size = struct.unpack("II", body)
            self.kinds[pool], self._memory = "pool", mmap.mmap(self._files[-1], size)
        elif kind == "zwlr_screencopy_manager_v1":
            frame = struct.unpack("IiI", body)[0]
            self.kinds[frame] = "frame"
            self._say(frame, 0, struct.pack("IIII", 1, WIDTH, HEIGHT, STRIDE))
        elif kind == "frame" and request in (0, 2):
            self._copy(thing, request)
        elif kind == "pointer":
            self.asked.append((request, body))

    def _copy(self, frame, request):
        self.copies.append(request)
        if not self._shades:
            if self._fails:
                self._say(frame, 3)
            return  # nothing changes any more
        rows = np.zeros((HEIGHT, STRIDE // 4, 4), np.uint8)
        rows[0, :WIDTH], rows[1:, :WIDTH] = self._shades.pop(0), 7
        self._memory[:] = rows.tobytes()
        self._say(frame, 1, struct.pack("I", self._upside_down))
        self._say(frame, 2, struct.pack("III", 0, len(self.copies), 250_000_000))


@contextmanager
def compositor(path, **kwargs):
    one = Compositor(path, **kwargs)
    yield one
    one.end()


@pytest.mark.parametrize("upside_down", [False, True])
def test_pictures_come_with_their_times_and_without_what_lies_beside_them(tmp_path, upside_down):
    path = tmp_path / "display"
    with compositor(path, shades=[10, 20, 30], upside_down=upside_down) as shown:
        with Recorder(path) as recorder:
            recorder.newest()
            while len(recorder.pictures) < 3:
                threading.Event().wait(0.01)
        assert [at for at, _ in recorder.pictures] == [1.25, 2.25, 3.25]
        assert [image.shape for _, image in recorder.pictures] == [(HEIGHT, WIDTH, 4)] * 3
        first = [image[-1 if upside_down else 0, 0, 0] for _, image in recorder.pictures]
        assert first == [10, 20, 30], "each is kept, not looked at later"
        assert shown.copies[:3] == [0, 2, 2], "after the first only what changes"


def test_a_film_that_breaks_off_is_said(tmp_path):
    path = tmp_path / "display"
    with compositor(path, shades=[10], fails=True), Recorder(path) as recorder:
        recorder._thread.join(5)
        assert len(recorder.pictures) == 1
        with pytest.raises(RuntimeError, match="gives no picture"):
            recorder.newest()


def test_a_compositor_that_ends_is_said(tmp_path):
    path = tmp_path / "display"
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(path))
    server.listen(1)

    def end():
        line, _ = server.accept()
        line.recv(9)
        line.shutdown(socket.SHUT_RDWR)
        line.close()

    ends = threading.Thread(target=end)
    ends.start()
    with pytest.raises((RuntimeError, OSError)):
        Recorder(path)
    ends.join()
    server.close()


def test_a_finger_is_put_down_in_the_place_it_taps_and_a_wheel_turns(tmp_path, monkeypatch):
    monkeypatch.setattr(filming, "HELD_S", 0.0)
    path = tmp_path / "display"
    with compositor(path) as shown:
        hand = Hand(path, (720, 1440), b"keymap\0")
        do(hand, tap(10, 20))
        do(hand, turn(30, 40, -2))
        hand.settle()
        hand.close()
    assert shown.keymap == b"keymap\0"
    said = [(request, struct.unpack(f"{len(body) // 4}i", body)[1:]) for request, body in shown.asked]
    done = [each for each in said if each[0] != 4]  # but the ends of slots
    assert done == [
        (1, (20, 40, 720, 1440)),
        (2, (272, 1)),
        (2, (272, 0)),
        (1, (60, 80, 720, 1440)),
        (5, ()),
        (7, (0, -15 * 256, -1)),
        (5, ()),
        (7, (0, -15 * 256, -1)),
    ]


def test_a_swipe_goes_its_whole_way_while_the_finger_is_down():
    class Scripted:
        def __init__(self):
            self.log = []

        def point(self, x, y):
            self.log.append((x, y))

        def press(self, down):
            self.log.append(down)

        def settle(self):
            pass

    hand = Scripted()
    do(hand, swipe(10, 300, 10, 100, 50))
    ways = [pytest.approx(600 - 400 / 3), pytest.approx(600 - 800 / 3), 200]
    assert hand.log == [(20, 600), True, *((20, y) for y in ways), False]


def page(**squares):
    """Return a picture of 720 × 1440 px in which squares are grey: name = (top, left, side, level)."""
    image = np.zeros((1440, 720, 4), np.uint8)
    for top, left, height, width, level in squares.values():
        image[top : top + height, left : left + width] = level
    return image


CARET, CLOCK = (700, 100, 40, 3, 255), (20, 320, 30, 60, 255)


def film(*pictures, **kwargs):
    """Return a take of pictures that come every 100 ms, the action 250 ms after the first."""
    told = Interaction("panel-tap", "", tap(1, 2), **{"seconds": 5.0} | kwargs)
    return taken([(50 + number / 10, image) for number, image in enumerate(pictures)], 50.0, 50.25, told)


def test_carets_and_the_minutes_of_the_clock_are_no_answer():
    box = (900, 200, 60, 60, 200)
    take = film(
        page(),
        page(caret=CARET),
        page(),
        page(caret=CARET),
        page(caret=CARET, box=box),
        page(box=box),
        page(box=box, clock=CLOCK),
    )
    assert take.action_ms == pytest.approx(250)
    assert take.strict_ms == pytest.approx([400])
    assert list(take.times_ms) == pytest.approx([0, 100, 200, 300, 400, 500, 600]), "they are filmed all the same"
    with pytest.raises(NothingShownError):
        film(page(), page(caret=CARET), page(), page(caret=CARET), page(clock=CLOCK))


def test_a_caret_that_blinks_beside_a_faint_fade_is_not_what_an_eye_sees_last():
    box = (900, 200, 60, 60, 200)
    faint = [(*box[:4], 200 + number) for number in range(1, 5)]
    take = film(
        page(),
        page(caret=CARET),
        page(),
        page(box=box),
        page(box=faint[0], caret=CARET),
        page(box=faint[1]),
        page(box=faint[2], caret=CARET),
        page(box=faint[3]),
    )
    assert take.strict_ms == pytest.approx([300, 400, 500, 600, 700])
    assert take.visible_ms == pytest.approx([300, 300])


def test_what_is_as_narrow_as_a_caret_and_only_comes_is_an_answer():
    box, levels = (900, 200, 60, 60, 200), [0, 0, 0, *range(50, 250, 50)]
    take = film(*(page(box=(*box[:4], 200 * (level > 0)), arrow=(*CARET[:4], level)) for level in levels))
    assert take.strict_ms == pytest.approx([300, 400, 500, 600])
    assert take.visible_ms == pytest.approx([300, 600])
    fades = [*levels, *levels[-2:2:-1], *levels[3:]]
    take = film(*(page(box=(*box[:4], 200 * (n > 2)), caret=(*CARET[:4], level)) for n, level in enumerate(fades)))
    assert take.visible_ms == pytest.approx([300, 300]), "this one goes again, and comes"


def test_an_eye_sees_a_slow_fade_until_it_looks_like_its_end():
    levels = [0, 0, 0, *range(10, 110, 10), 103, 104]
    take = film(*(page(box=(900, 200, 60, 60, level)) for level in levels))
    assert take.strict_ms == pytest.approx([300 + 100 * number for number in range(12)])
    assert take.visible_ms[0] == pytest.approx(400), "10 levels are not seen, 20 are"
    assert take.visible_ms[-1] == pytest.approx(1200), (
        "from 90 on it looks like 104 but for 14, from 100 on like it"
    )


def test_what_was_shown_before_begins_the_film():
    take = taken(
        [(49.0, page()), (49.5, page(a=(9, 9, 50, 50, 99))), (50.4, page())],
        50.0,
        50.3,
        Interaction("panel-tap", "", tap(1, 2)),
    )
    assert list(take.times_ms) == pytest.approx([0, 400])
    assert next(take.images())[10, 10, 0] == 99


def test_an_app_that_is_slow_to_open_is_waited_for_and_one_that_never_does_is_named(monkeypatch):
    class Scripted:
        def __init__(self, *pictures):
            self.pictures = list(pictures)

        def newest(self):
            return 0.0, self.pictures.pop(0) if len(self.pictures) > 1 else self.pictures[0]

    monkeypatch.setattr(filming, "LOOKS_S", 0.0)
    slow = Scripted(page(), page(clock=CLOCK), page(), page(app=(30, 0, 1400, 720, 99)))
    filming.opens(slow, page(), "some-app")
    assert len(slow.pictures) == 1, "the clock is none of its doing"
    monkeypatch.setattr(filming, "GIVES_UP_S", 0.0)
    with pytest.raises(NothingShownError, match="some-app shows nothing within 0 s"):
        filming.opens(Scripted(page()), page(), "some-app")


SCROLLBAR = (170, 708, 110, 6, 90)


@pytest.mark.parametrize(
    ("place", "own"), [(CARET, False), (CLOCK, False), ((0, 0, 30, 60, 9), True), (SCROLLBAR, True)]
)
def test_what_is_its_own(place, own):
    assert is_own(page(a=place)[..., 0].astype(int)) is own


@pytest.mark.parametrize("interactions", [INTERACTIONS, qt.INTERACTIONS], ids=["gnome", "qt"])
def test_every_interaction_has_a_name_of_its_own_and_lies_on_the_screen(interactions):
    names = [one.name for one in interactions]
    assert len(set(names)) == len(names) >= 80
    for one in interactions:
        for gesture in (*one.before, one.gesture):
            places = gesture[1:5] if gesture[0] == "swipe" else gesture[1:3]
            assert all(0 <= x < 360 for x in places[::2])
            assert all(0 <= y < 720 for y in places[1::2])
    assert {one.kind for one in interactions} >= {"tap", "swipe", "scroll"}


def test_a_seed_draws_the_same_looks_and_another_one_others():
    assert Look.drawn("panel-tap", 1) == Look.drawn("panel-tap", 1)
    assert len({Look.drawn("panel-tap", seed) for seed in range(8)}) > 4


def test_what_is_missing_is_named_with_its_cure(tmp_path, monkeypatch):
    monkeypatch.setattr(session.shutil, "which", lambda name, path=None: None if name == "xkbcli" else name)
    with pytest.raises(SystemExit, match=r"no xkbcli: apt-get install .*phoc.*squeekboard"):
        command.main([str(tmp_path), "--only", "panel-tap"])
    with pytest.raises(MissingError), session.phone(cursor=False, dark=False):
        pass
    running = session.Phone(None, tmp_path, {"PATH": str(tmp_path)}, None)
    monkeypatch.undo()
    with pytest.raises(MissingError, match="no ls: apt-get"):
        running.start("ls")
    with pytest.raises(MissingError, match=r"no ls: apt-get .*--apps qt .*kirigami-gallery"):
        running.start("env", "QT_QUICK_BACKEND=software", "ls")


def test_apps_of_other_systems_move_no_icon_of_the_home_screen(tmp_path, monkeypatch):
    menu, theme = tmp_path / "menu", tmp_path / "index.theme"
    menu.mkdir()
    for name in ("org.kde.itinerary", "lomiri-clock-app", "org.gnome.clocks"):
        (menu / f"{name}.desktop").write_text("[Desktop Entry]\n")
    theme.write_text("[Icon Theme]\nName=Hicolor\nDirectories=48x48/apps\n\n[48x48/apps]\nSize=48\n")
    monkeypatch.setattr(session, "MENU", menu)
    monkeypatch.setattr(session, "ICONS", theme)
    (tmp_path / "phone").mkdir()
    home = Path(session._environment(tmp_path / "phone", cursor=False, dark=True)["HOME"])
    hidden = sorted(file.name for file in (home / ".local/share/applications").iterdir())
    assert hidden == ["lomiri-clock-app.desktop", "org.kde.itinerary.desktop"]
    assert "NoDisplay=true" in (home / ".local/share/applications" / hidden[0]).read_text()
    icons = configparser.ConfigParser()
    icons.read(home / ".local/share/icons/hicolor/index.theme")
    assert icons["Icon Theme"]["Inherits"] == "suru,breeze"
    assert icons["Icon Theme"]["Directories"] == "48x48/apps", "the shell finds its own as before"
    assert "SuruDark" in (home / ".config/lomiri-ui-toolkit/theme.ini").read_text()


def test_cursors_of_a_finger_are_transparent_in_every_size(tmp_path):
    session._write_no_cursors(tmp_path)
    data = (tmp_path / "cursors" / "left_ptr").read_bytes()
    magic, header, _, count = struct.unpack("<4I", data[:16])
    assert (magic, header, count) == (int.from_bytes(b"Xcur", "little"), 16, 2)
    for number, side in enumerate((24, 48)):
        kind, nominal, at = struct.unpack("<3I", data[16 + 12 * number : 28 + 12 * number])
        chunk = struct.unpack("<9I", data[at : at + 36])
        assert (kind, nominal) == (0xFFFD0002, side)
        assert chunk == (36, kind, side, 1, side, side, 0, 0, 0)
        assert not any(data[at + 36 : at + 36 + 4 * side**2])
    assert at + 36 + 4 * side**2 == len(data)


def test_the_tables_are_those_that_the_other_benchmarks_read(tmp_path, monkeypatch, capsys):
    def filmed(told, look):
        if told.name == "panel-pull":
            raise NothingShownError("nothing answers where the finger is")
        png = [cv2.imencode(".png", np.full((64, 64, 3), grey, np.uint8))[1].tobytes() for grey in (10, 200)]
        about = {"action": 40.0, "outcome": "ok", "settles": int(told.settles)}
        return Take([0.0, 50.0], png, [50.0], [50.0], 0.1, about)

    monkeypatch.setattr(command, "film", filmed)
    assert command.main([str(tmp_path), "--only", "panel-pu"]) == 1
    assert "panel-pull: nothing answers" in capsys.readouterr().err
    assert command.main([str(tmp_path), "--only", "clocks-start"]) == 0
    truth, runs = (pd.read_csv(tmp_path / name) for name in ("truth.csv", "runs.csv"))
    assert truth["video"].tolist() == ["videos/panel-push.mp4", "videos/clocks-start.mp4"]
    assert all((tmp_path / video).is_file() for video in truth["video"])
    assert truth["response_ms"].tolist() == [10, 10]
    assert truth["settles"].tolist() == [1, 0]
    assert truth["finish_ms"].isna().tolist() == [False, True], "what never ends has no end"
    assert runs[["x", "y"]].to_numpy().tolist() == [[360, 1400], [160, 780]]
    needed = {"action_ms", "interaction", "interaction_type", "capture", "settles", "x", "y", "finish_ms"}
    assert needed <= set(runs.merge(truth, on="video").columns), "no column comes from both"
    with pytest.raises(SystemExit):
        command.main([str(tmp_path), "--only", "nobody"])
    assert "nobody" in capsys.readouterr().err
