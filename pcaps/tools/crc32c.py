# SPDX-License-Identifier: BSD-2-Clause
"""crc32c: the CRC of RFC 5044 section 4.4, whole and by prefix sums, for the black-box tests."""

import functools
from array import array


def _table():
    out = []
    for octet in range(256):
        for _ in range(8):
            octet = octet >> 1 ^ (0x82F63B78 if octet & 1 else 0)
        out.append(octet)
    return out


TABLE = _table()


def update(state, data):
    """Advances the raw CRC register over `data`."""
    table = TABLE
    for octet in data:
        state = table[(state ^ octet) & 255] ^ state >> 8
    return state


def crc32c(data):
    """Returns the CRC32c of `data`."""
    return update(0xFFFFFFFF, data) ^ 0xFFFFFFFF


@functools.cache
def _shift_tables():
    """Tables that advance the register over 1, 2, 4, ... 2^17 zero octets; most programs need none."""
    levels = []
    columns = [update(1 << bit, b"\0") for bit in range(32)]
    for _ in range(18):
        tables = []
        for octet in range(4):
            row = [0] * 256
            for value in range(256):
                for bit in range(8):
                    if value >> bit & 1:
                        row[value] ^= columns[octet * 8 + bit]
            tables.append(row)
        levels.append(tables)
        columns = [_advance(tables, _advance(tables, 1 << bit)) for bit in range(32)]
    return levels


def _advance(tables, state):
    return (tables[0][state & 255] ^ tables[1][state >> 8 & 255]
            ^ tables[2][state >> 16 & 255] ^ tables[3][state >> 24])


def shift(state, count):
    """Advances the register over `count` zero octets (count below 2^18)."""
    level = 0
    while count:
        if count & 1:
            state = _advance(_shift_tables()[level], state)
        count >>= 1
        level += 1
    return state


class Prefix:
    """CRC of any range of one octet string, after one pass over it."""

    def __init__(self, data):
        states = array("I", [0])
        state, table = 0, TABLE
        for octet in data:
            state = table[(state ^ octet) & 255] ^ state >> 8
            states.append(state)
        self.states = states

    def crc(self, start, end):
        """Returns the CRC32c of data[start:end]."""
        begin = self.states[start] ^ 0xFFFFFFFF
        return self.states[end] ^ shift(begin, end - start) ^ 0xFFFFFFFF
