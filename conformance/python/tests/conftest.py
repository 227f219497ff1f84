# SPDX-License-Identifier: BSD-2-Clause
"""Where the repository is, and its captures."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def root():
    return ROOT


@pytest.fixture(scope="session")
def siw(root):
    """A real capture."""
    return root / "pcaps" / "real" / "siw"
