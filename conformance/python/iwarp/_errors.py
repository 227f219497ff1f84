# SPDX-License-Identifier: BSD-2-Clause
"""The exceptions of the package. Each has one sentence."""

from ._native import ffi, lib


class Error(Exception):
    """Base of all exceptions of this package."""


class DecodeError(Error, ValueError):
    """Octets that are no frame.

    `name` is an error of iwarp/base.h, such as "NEED_MORE". `need` says how many octets are wanted in all where
    `name` is "NEED_MORE", and is 0 otherwise. `offset` is the first octet that is wrong.
    """

    def __init__(self, message: str, name: str = "", need: int = 0, offset: int = 0) -> None:
        super().__init__(message)
        self.name = name
        self.need = need
        self.offset = offset


class EncodeError(Error, ValueError):
    """A value that does not fit into its field, or values that no frame can have together."""


class CaptureError(Error, OSError):
    """A capture that cannot be opened, or that could not be read to its end."""


class EndpointError(Error, ConnectionError):
    """The end of a connection, or an operation that its state does not allow.

    `name` is an error of iwarp/base.h, such as "TERMINATED".
    """

    def __init__(self, message: str, name: str = "") -> None:
        super().__init__(message)
        self.name = name


def name_of(err: int) -> str:
    """The name of an error without its prefix: "NEED_MORE"."""
    return str(ffi.string(lib.iwarp_errname(err)).decode()).removeprefix("IWARP_ERR_")


def sentence_of(err: int) -> str:
    """The sentence of an error, without its full stop."""
    return str(ffi.string(lib.iwarp_strerror(err)).decode())
