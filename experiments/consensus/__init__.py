"""The default sharpness of consensus decoding, chosen on held-out text."""
