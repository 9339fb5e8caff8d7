"""The model directory: what was built from what, and how."""
