"""The bot protocol in Python: generated code (`v1`) and its conversions."""
