"""Ctrl-C while the command line starts or ends: one word and exit code 130, without a traceback.

`import tunesmith` calls `end_quietly` before anything else, since most of the time of a short command is
spent on imports. It changes nothing unless the process is the command line. `main` calls `raise_interrupts`
as soon as it can catch them: from then on temporary files are removed.

What comes before is out of reach. Python handles the signal from early in its own start, and prints a
traceback if it comes while `site` (with the .pth files of other distributions), `runpy` or the search for
this package run: some 15 ms before our first line. Only a launcher that is not Python, or a .pth file that
runs at the start of every Python process of the environment, could change that.
"""

# Nothing else is imported here: these are loaded in every process, and `signal` is slower than `_signal`.
import _signal  # type: ignore[import-not-found]
import os
import sys

__all__ = ["INTERRUPTED", "end_command_line", "end_quietly", "raise_interrupts", "was_interrupted"]

INTERRUPTED: int = 128 + _signal.SIGINT
"""The exit code of an interrupted command."""


def _is_command_line() -> bool:
    """Whether this process is `tunesmith` or `python -m tunesmith`."""
    name = os.path.basename(next(iter(getattr(sys, "argv", ())), ""))  # noqa: PTH119 - pathlib is slow
    if name == "-m":  # of a module that is not loaded yet
        before = dict(zip(sys.orig_argv[1:], sys.orig_argv, strict=False))
        return before.get("tunesmith", "").endswith("m")
    return name in ("tunesmith", "tunesmith.exe")


_IS_COMMAND_LINE = _is_command_line()  # `sys.argv` will change
_raised = False


def end_quietly() -> None:
    """From now on end the command line at once on Ctrl-C; not if this signal is ignored or handled."""
    if _IS_COMMAND_LINE and _signal.getsignal(_signal.SIGINT) in (_signal.default_int_handler, _raise):
        _signal.signal(_signal.SIGINT, _end)


def raise_interrupts() -> None:
    """From now on raise KeyboardInterrupt on Ctrl-C, as Python does, if `end_quietly` changed that."""
    if _signal.getsignal(_signal.SIGINT) is _end:
        _signal.signal(_signal.SIGINT, _raise)
        sys.unraisablehook = _raise_later


def was_interrupted() -> bool:
    """Whether KeyboardInterrupt was raised: in the midst of an import it may surface as another exception."""
    return _raised


def end_command_line() -> None:
    """End the process, if it is the command line, after KeyboardInterrupt was raised and all is cleaned up.

    `sys.exit` is not enough: if the exception passed through `exec`, as in the import of a dataclass, Python
    ends itself by the signal instead of the exit code.
    """
    if _IS_COMMAND_LINE:
        _end(_signal.SIGINT, None)


def _raise(number: int, frame: object) -> None:
    global _raised
    _raised = True
    raise KeyboardInterrupt


def _raise_later(lost: "sys.UnraisableHookArgs") -> None:
    """Interrupt again if an interrupt came within a destructor, where exceptions cannot leave."""
    if not issubclass(lost.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(lost)
        return
    import threading

    again = threading.Timer(0.01, os.kill, (os.getpid(), _signal.SIGINT))  # when the destructor has ended
    again.daemon = True
    again.start()


def _end(number: int, frame: object) -> None:
    os.write(2, b"interrupted\n")
    os._exit(INTERRUPTED)
