"""Converts ChatMarkdown documents to requests of language-model APIs, and replies back to documents.

The functions run the command ``chatmd`` of this wheel. A keyword argument is a flag of the command:
``to_request(text, model="gpt-5", stateless=True)`` runs ``chatmd to-request --model=gpt-5 --stateless``. Only arguments count:
``chatmd.toml`` and the environment variables ``CHATMD_…`` have no effect.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["ChatmdError", "ChatmdWarning", "Finding", "Reply", "check", "find_chatmd_bin", "from_response", "to_request"]

_INCOMPLETE = 5
_CHECK_FAILED = 1
_TEXT = "<text>"
# Flags with which the command prints something else than the result of the function.
_REFUSED = {
    "to-request": {"color", "help", "input-only", "output"},
    "from-response": {"append", "color", "help", "output"},
    "check": {"color", "deps", "diff", "fix", "format", "help"},
}
_HEADER = re.compile(r"^(error|warning|note)(?:\[([a-z0-9-]+)\])?: (.*)$")
_PLACE = re.compile(r"^ *--> (.*):(\d+):(\d+)$")


@dataclass(frozen=True)
class Finding:
    """A problem of a document or of a reply, and its place if it has one. ``file`` names an imported file."""

    severity: str
    rule: str | None
    message: str
    file: str | None = None
    line: int | None = None
    column: int | None = None
    help: str | None = None


@dataclass(frozen=True)
class Reply:
    """A converted reply."""

    document: str
    """The reply as ChatMarkdown."""
    complete: bool
    """Whether the reply is complete. A stream that was cut, or an answer that hit a limit, is not."""
    warnings: list[Finding] = field(default_factory=list)
    """The messages of the conversion, as the command prints them: after 100 warnings, one says how many more there are."""


class ChatmdWarning(UserWarning):
    """A document was converted, but with a warning, such as content that was not sent."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding


class ChatmdError(Exception):
    """``chatmd`` ended with an error.

    The exit code is 2 for wrong flags, 4 for an error of the API, 65 for malformed input, 66 for a missing file, 77 for a
    file that must not be read.
    """

    def __init__(self, exit_code: int, message: str, findings: list[Finding]) -> None:
        super().__init__(message)
        self.exit_code = exit_code
        self.message = message
        self.findings = findings


def find_chatmd_bin() -> str:
    """Returns the path of the program ``chatmd`` that belongs to this module."""
    name = "chatmd" + (sysconfig.get_config_var("EXE") or "")
    user = sysconfig.get_path("scripts", scheme=sysconfig.get_preferred_scheme("user"))
    # A program that has Python in it may have no such path. The current directory is not searched.
    beside = os.path.dirname(os.path.abspath(sys.executable or __file__))
    for directory in (sysconfig.get_path("scripts"), beside, user, _target_scripts()):
        path = os.path.join(directory, name)
        if os.path.isfile(path):
            return path
    raise FileNotFoundError(f"{name} is not installed beside chatmd_cli; install the wheel chatmd-cli again")


def to_request(
    text: str | bytes, *, base_dir: str | os.PathLike[str] | None = None, timeout: float | None = None, **options: Any
) -> dict[str, Any]:
    """Converts a document to a request. The document reads files below ``base_dir`` only, and none without it.

    Every warning is a ``ChatmdWarning`` of the module ``warnings``.
    """
    with _directory(base_dir) as directory:
        code, out, err = _run("to-request", text, timeout, {"stdin_filename": os.path.join(directory, _TEXT), **options})
    if code:
        raise _error(code, err)
    for finding in _findings(err):
        warnings.warn(ChatmdWarning(finding), stacklevel=2)
    request: dict[str, Any] = json.loads(out)
    return request


def from_response(
    reply: str | bytes | dict[str, Any] | list[Any], *, timeout: float | None = None, **options: Any
) -> Reply:
    """Converts a response, a stream, a request, items or a session to a document."""
    data = json.dumps(reply) if isinstance(reply, (dict, list)) else reply
    code, out, err = _run("from-response", data, timeout, options)
    if code not in (0, _INCOMPLETE):
        raise _error(code, err)
    return Reply(out, code == 0, list(_findings(err)))


def check(
    text: str | bytes, *, base_dir: str | os.PathLike[str] | None = None, timeout: float | None = None, **options: Any
) -> list[Finding]:
    """Returns every problem of a document. An empty list means that there is none."""
    with _directory(base_dir) as directory:
        names = {"stdin_filename": os.path.join(directory, _TEXT)}
        code, out, err = _run("check", text, timeout, {**names, **options}, "--format=json")
    if code not in (0, _CHECK_FAILED, _INCOMPLETE):
        raise _error(code, err)
    # That a stream ended early is on standard error only.
    early = _findings(err) if code == _INCOMPLETE else ()
    return [*map(_finding, json.loads(out)), *early]


@contextlib.contextmanager
def _directory(base_dir: str | os.PathLike[str] | None) -> Iterator[str]:
    """The directory that a document may read: an empty one if none is named."""
    if base_dir is not None:
        if not os.path.isdir(base_dir):
            raise NotADirectoryError(f"base_dir is not a directory: {os.fspath(base_dir)}")
        yield os.fspath(base_dir)
    else:
        with tempfile.TemporaryDirectory(prefix="chatmd.") as empty:
            yield empty


def _run(
    command: str, data: str | bytes, timeout: float | None, options: dict[str, Any], *flags: str
) -> tuple[int, str, str]:
    named = {name.rstrip("_").replace("_", "-"): value for name, value in options.items()}
    if refused := {name for name, value in named.items() if name in _REFUSED[command] or value == "-"}:
        raise TypeError(f"`{min(refused)}` is not possible here: run `chatmd {command}` with find_chatmd_bin()")
    arguments = [find_chatmd_bin(), command, *flags, *_flags({**named, "no-config": True}), "-"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CHATMD_")}
    process = subprocess.Popen(
        arguments,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**environment, "NO_COLOR": "1"},
    )
    with process:
        try:
            out, err = process.communicate(data.encode() if isinstance(data, str) else data, timeout)
        except BaseException:
            # The program ends what it has started, and gets a second for it.
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(1)
            process.kill()
            raise
    return process.returncode, out.decode(), err.decode("utf-8", "replace")


def _flags(options: dict[str, Any]) -> Iterator[str]:
    for name, value in options.items():
        for each in value if isinstance(value, (list, tuple)) else [value]:
            if each is True:
                yield f"--{name}"
            elif each is not None and each is not False:
                yield f"--{name}={each}"


def _error(code: int, err: str) -> ChatmdError:
    findings = list(_findings(err))
    first = next((finding for finding in findings if finding.severity == "error"), None)
    return ChatmdError(code, first.message if first else err.strip() or f"chatmd ended with exit code {code}", findings)


def _findings(err: str) -> Iterator[Finding]:
    """The messages on standard error as objects."""
    current: dict[str, Any] | None = None
    for line in err.split("\n"):
        if header := _HEADER.match(line):
            if current:
                yield _finding(current)
            current = dict(zip(("severity", "rule", "message"), header.groups()))
        # Only problems of a document have a rule and a place.
        elif current and current["rule"] and (place := _PLACE.match(line)):
            current.setdefault("file", place[1])
            current.setdefault("line", int(place[2]))
            current.setdefault("column", int(place[3]))
        elif current and line.startswith("  = help: "):
            current["help"] = line[len("  = help: ") :]
        # Only the message of a server or of a wrong flag has several lines.
        elif current and not current["rule"] and line.startswith("  "):
            current["message"] += "\n" + line.removeprefix("  ").removeprefix("  ")
    if current:
        yield _finding(current)


def _finding(row: dict[str, Any]) -> Finding:
    known = {name: value for name, value in row.items() if name in Finding.__dataclass_fields__}
    if os.path.basename(known.get("file") or "") in (_TEXT, "<stdin>"):
        known["file"] = None  # The text itself.
    return Finding(**known)


def _target_scripts() -> str:
    """The scripts of ``pip install --target``."""
    return str(Path(__file__).resolve().parent.parent / "bin")
