"""What a loop can tune: one file a kind of decoder."""
