"""`python -m tunesmith` is the command line."""

try:
    from tunesmith.cli.main import main

    main()
except KeyboardInterrupt:
    raise SystemExit(130) from None
