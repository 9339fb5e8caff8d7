"""What a user gets with default options, beside the best of other settings."""
