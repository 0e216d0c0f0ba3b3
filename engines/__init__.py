"""Engines that come with the arena: the reference ladder, and example classes."""
