"""Every method on Multi30k German-English, beside Moses."""
