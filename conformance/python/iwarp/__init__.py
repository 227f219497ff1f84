# SPDX-License-Identifier: BSD-2-Clause
"""iWARP in Python: frames, captures and a live endpoint, by the libraries of libiwarp."""

from . import frames
from ._errors import CaptureError, DecodeError, EncodeError, EndpointError, Error
from ._form import Field, Form
from ._frames import Fpdu, RdmapHeader, Segment, Terminate, ddp_front, terminate_for
from ._native import ffi as _ffi
from ._native import lib as _lib
from .frames import *  # noqa: F403

__version__: str = _ffi.string(_lib.iwarp_version()).decode()
__all__ = ["CaptureError", "DecodeError", "EncodeError", "EndpointError", "Error", "Field", "Form", "Fpdu", "RdmapHeader", "Segment",
           "Terminate", "ddp_front", "frames", "terminate_for"]
__all__ += frames.__all__
