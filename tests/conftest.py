"""What holds for all tests."""

from __future__ import annotations

from hypothesis import settings

# A busy machine is no defect: an example that takes longer than others does not fail.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
