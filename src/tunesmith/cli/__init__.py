"""The command line: one file a subcommand; imported by nobody."""
