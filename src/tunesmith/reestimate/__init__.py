"""Re-estimation of models from derivations of their training text: of oracles, or of forced decoding."""
