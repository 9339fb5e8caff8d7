"""Online updates: one file each, found by the registry `UPDATES`."""
