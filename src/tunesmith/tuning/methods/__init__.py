"""The methods: one file per method."""
