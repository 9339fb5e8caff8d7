"""The `tunesmith` command: runs the subcommands and turns errors into exit codes.

Slow imports are inside functions: `--version` needs none, and Ctrl-C during start-up is caught (see also
`tunesmith.interrupts`).
"""

from __future__ import annotations

import signal
import sys
import warnings
from typing import TYPE_CHECKING, Any, NoReturn

from tunesmith.errors import ProgramNotice, TunesmithError, TunesmithWarning
from tunesmith.interrupts import INTERRUPTED, end_command_line, end_quietly, raise_interrupts, was_interrupted

if TYPE_CHECKING:
    import typer

__all__ = ["main"]

_OUT_OF_MEMORY = (
    "not enough memory; use fewer --threads, a lower --memory, --pop-limit or --nbest where the command has"
    " them, or less input at once"
)


def _build() -> typer.Typer:
    import typer

    from tunesmith.cli.subcommands import Subcommands

    root = typer.Typer(
        name="tunesmith",
        cls=Subcommands,
        help="Train, tune and run feature-rich log-linear translation models.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode="rich",  # summaries have no markup, and Markdown takes longer
        context_settings={"help_option_names": ["-h", "--help"]},
    )

    @root.callback(invoke_without_command=True)
    def answer(version: bool = typer.Option(False, "--version", help="Print the version and exit.")) -> None:
        if version:
            _print_version()
            raise typer.Exit

    return root


def _print_version() -> None:
    from tunesmith.version import __version__

    sys.stdout.write(f"{__version__}\n")


def _leave(number: int, frame: object) -> NoReturn:
    """Unwind, so that temporary files are removed, and exit with the code of a terminated process."""
    raise SystemExit(128 + number)


def _handle_signals() -> None:
    if hasattr(signal, "SIGPIPE"):
        # End as other tools do when the reader of our output leaves early (`| head`).
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, _leave)
    # The terminal was closed; respect `nohup`, which ignores this signal.
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        signal.signal(signal.SIGHUP, _leave)


def _end_interrupted() -> NoReturn:
    sys.stderr.flush()
    end_command_line()
    sys.stderr.write("interrupted\n")
    sys.exit(INTERRUPTED)


def _say_error(message: str) -> None:
    from rich.markup import escape

    from tunesmith.cli.console import errors

    errors.print(f"[bold red]error:[/] {escape(message)}", soft_wrap=True)


def _show_warnings() -> None:
    """Print Tunesmith's warnings as plain lines; others as Python does."""
    show_others = warnings.showwarning

    def show(message: Warning | str, category: type[Warning], *place: Any, **named: Any) -> None:
        if not issubclass(category, TunesmithWarning):
            return show_others(message, category, *place, **named)
        from tunesmith.cli.console import errors, warn

        if issubclass(category, ProgramNotice):  # nothing is wrong
            return errors.print(str(message), markup=False, soft_wrap=True)
        said = message.args[0] if isinstance(message, Warning) and message.args else str(message)
        return warn(said)

    warnings.simplefilter("always", TunesmithWarning)
    warnings.showwarning = show


def main() -> None:
    """Run the command line; exit codes: 0 done, 1 bad input or result, 2 a wrong command line."""
    try:
        raise_interrupts()
        _handle_signals()
        _show_warnings()
        try:
            if sys.argv[1:] == ["--version"]:  # before typer is imported
                _print_version()
            else:
                _build()(prog_name="tunesmith")  # the name that completion is installed for
        finally:
            sys.stdout.flush()  # here, where an error can still be reported
            end_quietly()
    except BaseException as error:
        end_quietly()
        interrupts = isinstance(error, SystemExit) and error.code == INTERRUPTED  # typer makes one of them
        if interrupts or isinstance(error, KeyboardInterrupt) or was_interrupted():
            _end_interrupted()
        sys.exit(_reported(error))


def _reported(error: BaseException) -> int:
    """Report an error and return the exit code; raise what a user cannot do anything about."""
    if isinstance(error, TunesmithError):
        _say_error(str(error))
        return error.exit_code
    if isinstance(error, OSError):  # errors of files are InputErrors: this is one of an open stream
        from tunesmith.files import forget_standard_output

        forget_standard_output()
        where = error.filename or "standard input or output"
        _say_error(f"{where}: {error.strerror or error}")
    elif isinstance(error, MemoryError):
        _say_error(_OUT_OF_MEMORY)
    elif isinstance(error, RecursionError):
        _say_error("the input is nested too deeply: brackets within brackets, or lists within lists")
    elif isinstance(error, TypeError | UnicodeEncodeError) and (name := _unencodable()) is not None:
        _say_error(f"{name!r} is not UTF-8; files and folders need names in UTF-8 here")
    else:
        raise error
    return 1


def _unencodable() -> str | None:
    """Return an argument, or the current folder, that is not UTF-8, which native code and records need."""
    from pathlib import Path

    for name in (*sys.argv[1:], str(Path.cwd())):
        try:
            name.encode()
        except UnicodeEncodeError:
            return name
    return None
