"""The constants of the recaser, chosen on dev text."""
