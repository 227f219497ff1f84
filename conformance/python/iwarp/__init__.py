# SPDX-License-Identifier: BSD-2-Clause
"""iWARP in Python: frames, captures and a live endpoint, by the libraries of libiwarp."""

from . import frames
from ._capture import Column, Columns, Packets, Pdu, Summary, Transport, packets
from ._check import Check, Connection, Diagnosis, Finding, Verdict, check
from ._endpoint import Endpoint, Info, Message, Region, serve
from ._errors import CaptureError, DecodeError, EncodeError, EndpointError, Error
from ._form import Field, Form
from ._frames import Fpdu, RdmapHeader, Segment, Terminate, ddp_front, terminate_for
from ._native import ffi as _ffi
from ._native import lib as _lib
from ._stats import ConnectionStats, Direction, Distribution, Interval, Series, Stats, stats
from .frames import *  # noqa: F403

__version__: str = _ffi.string(_lib.iwarp_version()).decode()
__all__ = ["CaptureError", "Check", "Column", "Columns", "Connection", "ConnectionStats", "DecodeError", "Diagnosis", "Direction",
           "Distribution", "EncodeError", "Endpoint", "EndpointError", "Error", "Field", "Finding", "Form", "Fpdu", "Info", "Interval", "Message", "Packets", "Pdu",
           "RdmapHeader", "Region", "Segment", "Series", "Stats", "Summary", "Terminate", "Transport", "Verdict", "check", "ddp_front", "frames",
           "packets", "serve", "stats", "terminate_for"]
__all__ += frames.__all__
