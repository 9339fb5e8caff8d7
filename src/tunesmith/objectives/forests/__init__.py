"""Objectives over forests: one file per objective."""
