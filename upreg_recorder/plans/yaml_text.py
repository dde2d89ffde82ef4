"""Read YAML into plain values, each with the line on which it stands.

Scalars that look like numbers keep how they were written: `os_version: 14.10` is the text 14.10 where a text is
wanted. Anchors, aliases and merge keys (`<<`) work, within bounds: what a file says once can be meant a thousand
times, not a billion times.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import yaml

from upreg_recorder.failures import PlanError

MOST_CHARACTERS = 2_000_000
MOST_VALUES = 200_000  # with all that aliases repeat
MOST_LEVELS = 40
Path = tuple[str | int, ...]

_WHOLE = re.compile(r"[+-]?\d+", re.ASCII)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_BOOLS = {"true": True, "false": False, "yes": True, "no": False, "on": True, "off": False}
_TAG = "tag:yaml.org,2002:"


@dataclass
class Text:
    """A file of YAML as values. `lines`: path → line (from 1); `written`: path → a plain scalar as it was typed.

    `problems` are what is wrong with the file whatever it is about, such as a key that stands twice.
    """

    value: Any = None
    lines: dict[Path, int] = field(default_factory=dict)
    written: dict[Path, str] = field(default_factory=dict)
    problems: list[tuple[int, str]] = field(default_factory=list)

    def line(self, path: Path) -> int:
        """Return the line on which something stands, or what it lies in."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)


def read_yaml(text: str) -> Text:
    """Return the values of a YAML text; raises PlanError for what cannot be read as a whole."""
    if len(text) > MOST_CHARACTERS:
        raise PlanError([(0, f"has {len(text)} characters: a plan has at most {MOST_CHARACTERS:,}")])
    try:
        node = yaml.SafeLoader(text).get_single_node()
    except yaml.MarkedYAMLError as error:
        raise PlanError([(_line_of(error), _words(error))]) from error
    except (yaml.YAMLError, ValueError) as error:  # a character that YAML has no place for
        raise PlanError([(0, f"is no YAML: {error}")]) from error
    except RecursionError as error:
        raise PlanError([(0, f"is nested too deeply: use at most {MOST_LEVELS} levels")]) from error
    if node is None:
        raise PlanError([(0, "is empty: it names apps and devices")])
    return _Builder().build(node)


class _Builder:
    def __init__(self) -> None:
        self.found, self._values = Text(), 0

    def build(self, node: yaml.Node) -> Text:
        self.found.value = self._value(node, ())
        return self.found

    def _value(self, node: yaml.Node, path: Path) -> Any:
        self._values += 1
        if self._values > MOST_VALUES or len(path) > MOST_LEVELS:
            cure = "its aliases mean too much, or refer to themselves"
            raise PlanError([(_line(node), f"more than {MOST_VALUES:,} values or {MOST_LEVELS} levels: {cure}")])
        self.found.lines.setdefault(path, _line(node))
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            return [self._value(each, (*path, number)) for number, each in enumerate(node.value)]
        return self._scalar(node, path)

    def _mapping(self, node: yaml.MappingNode, path: Path) -> dict[str, Any]:
        found: dict[str, Any] = {}
        merged: list[yaml.Node] = []
        for key, value in node.value:
            if key.tag == f"{_TAG}merge":
                merged.append(value)
                continue
            if not isinstance(key, yaml.ScalarNode):
                self.found.problems.append((_line(key), "a key must be a word"))
                continue
            name = str(key.value)
            if name in found:
                first = self.found.line((*path, name))
                self.found.problems.append((_line(key), f"{name!r} stands twice, first in line {first}: keep one"))
                continue
            self.found.lines[(*path, name)] = _line(key)
            found[name] = self._value(value, (*path, name))
        for value in merged:
            self._merge(value, found, path)
        return found

    def _merge(self, node: yaml.Node, found: dict[str, Any], path: Path) -> None:
        """Add what `<<` brings in, where the mapping does not say it itself; the first of several counts."""
        if len(path) > MOST_LEVELS:
            raise PlanError([(_line(node), "<< refers to itself")])
        for each in node.value if isinstance(node, yaml.SequenceNode) else [node]:
            if not isinstance(each, yaml.MappingNode):
                self.found.problems.append((_line(each), "<< takes a mapping, such as *name of one with an anchor"))
                continue
            for name, value in self._mapping(each, (*path, "<<")).items():
                if name not in found:
                    found[name] = value
                    self._moved((*path, "<<", name), (*path, name))
            self._forget((*path, "<<"))

    def _moved(self, old: Path, new: Path) -> None:
        for table in (self.found.lines, self.found.written):
            for key in [key for key in table if key[: len(old)] == old]:
                table[(*new, *key[len(old) :])] = table[key]  # type: ignore[assignment]

    def _forget(self, old: Path) -> None:
        for table in (self.found.lines, self.found.written):
            for key in [key for key in table if key[: len(old)] == old]:
                del table[key]

    def _scalar(self, node: yaml.Node, path: Path) -> Any:
        text = str(node.value)
        if getattr(node, "style", None) is not None:  # quoted, or a block
            return text
        kind = node.tag.removeprefix(_TAG)
        if kind not in ("str", "int", "float", "bool", "null", "timestamp", "merge", "value"):
            self.found.problems.append((_line(node), f"the tag {node.tag} is not known here: leave it out"))
            return text
        self.found.written[path] = text
        if kind == "null":
            return None
        if kind == "bool":
            return _BOOLS.get(text.lower(), text)
        if _WHOLE.fullmatch(text) and len(text) <= 18:
            return int(text)
        return float(text) if _NUMBER.fullmatch(text) else text


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1


def _line_of(error: yaml.MarkedYAMLError) -> int:
    mark = error.problem_mark or error.context_mark
    return mark.line + 1 if mark else 0


def _words(error: yaml.MarkedYAMLError) -> str:
    said = error.problem or error.context or "something is wrong"
    if "alias" in said or "anchor" in said:
        return f"is no YAML: {said}"
    tab = " (a tab does not indent: use spaces)" if "'\\t'" in said else ""
    return f"is no YAML: {said}: check indentation, colons and quotes{tab}"
