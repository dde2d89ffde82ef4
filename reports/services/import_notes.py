"""What is worth a second look in a manifest although nothing of it was refused."""

from reports.services.import_catalogue import Catalogue
from reports.services.import_plan import Candidate

_SHOWN = 5


class Notes:
    """Collects notes over the lines of a manifest; keeps 40 bytes a line."""

    def __init__(self) -> None:
        self._first_line: dict[bytes, int] = {}
        self._pairs: list[tuple[int, int]] = []
        self._identical = 0
        self._renamed: dict[str, str] = {}

    def look_at(self, candidate: Candidate, catalogue: Catalogue) -> None:
        """Compare a row with what came before it."""
        row = candidate.row
        stored = catalogue.app_names[row.package]
        if stored != row.app:
            self._renamed.setdefault(
                row.package, f"app {row.package} keeps its stored name {stored!r}, not {row.app!r}"
            )
        first = self._first_line.setdefault(bytes.fromhex(candidate.video.print.sha256), row.line)
        if first != row.line:
            self._identical += 1
            if len(self._pairs) < _SHOWN:
                self._pairs.append((first, row.line))

    def texts(self) -> list[str]:
        """Return the notes, ready to be read."""
        notes = list(self._renamed.values())
        if self._identical:
            pairs = ", ".join(f"{line} like {first}" for first, line in self._pairs)
            more = " …" if self._identical > len(self._pairs) else ""
            notes.append(
                f"identical screencasts, {self._identical} in all: lines {pairs}{more}: "
                "a recorder on a fixed grid makes them; check that no file was copied twice"
            )
        return notes
