"""`python -m tunesmith` is the command line."""

from tunesmith.cli.main import main

main()
