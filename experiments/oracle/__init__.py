"""Re-estimation of phrase models from oracle translations: what it gains over extraction alone."""
