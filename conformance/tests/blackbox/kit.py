# SPDX-License-Identifier: BSD-2-Clause
"""Imported before the kit of pcaps/tools, which writes and reads captures: makes it found."""

import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "pcaps", "tools"))
