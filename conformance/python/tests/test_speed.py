# SPDX-License-Identifier: BSD-2-Clause
"""What a large capture costs at most, in seconds of the processor."""

import time

import maker

import iwarp

NUM = 100_000  # FPDUs


def test_fpdus_become_columns_in_less_than_a_second(tmp_path):
    path = tmp_path / "sends.pcap"
    maker.sends(path, NUM)
    begin = time.process_time()
    columns = iwarp.packets(path).columns()
    took = time.process_time() - begin
    assert columns.num == NUM + 2  # and the startup frames
    assert took < 1
    print(f"{NUM} FPDUs to columns in {took:.2f} s of the processor")
