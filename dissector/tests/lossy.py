# SPDX-License-Identifier: BSD-2-Clause
"""Links, times and counts where packets are missing: lossy.py TSHARK TOOL [--seed N] COUNT. Each Response says in its payload which
request it answers. COUNT captures are made at random, of eight connections each, in which one packet is missing; 0: the named cases alone."""
import os
import random
import shutil
import tempfile

import run_tshark

STARTUP = ["i> mpa-request C", "r> mpa-reply C", "i> send len=4", "r> send len=4"]
NAMES = ["frame.number", "iwarp.rdmap.opcode", "iwarp.ddp.msn", "iwarp.payload", "iwarp.atomic_response.original", "iwarp.request_in",
         "iwarp.response_in", "iwarp.reads_outstanding", "iwarp.connection"]
READ, READ_RESPONSE, ATOMIC, ATOMIC_RESPONSE = 1, 2, 10, 11


ARGS = run_tshark.seeded()
TSHARK = run_tshark.Tshark(ARGS.tshark)
SCRATCH = tempfile.mkdtemp()
os.chmod(SCRATCH, 0o755)


def made(name, lines):
    """The capture of a scenario."""
    return run_tshark.scenario(ARGS.tool, SCRATCH, name, lines)


def read(number, sink=0x77, size=64, how=""):
    return f"i> read-request sink_stag={sink} sink_to=0x1000 size={size} source_stag=0x55 {how}".rstrip(), number


def answer(number, sink=0x77, size=64, how=""):
    return f"r> read-response stag={sink} to=0x1000 data={number:08x} len={size - 4} {how}".rstrip()


class Row:
    """What is shown of a frame."""

    def __init__(self, cells):
        first = [cell[0] if cell else "" for cell in cells]
        self.frame, self.opcode = int(first[0]), int(first[1] or -1)
        self.msn = int(first[2] or 0)
        self.number = int(first[4], 16) if first[4] else int(first[3].replace(":", "")[:8] or "0", 16)
        self.request_in, self.response_in = int(first[5] or 0), [int(cell) for cell in cells[6]]
        self.outstanding, self.connection = int(first[7] or 0), int(first[8] or 0)


def rows_of(capture):
    return [Row(cells) for cells in TSHARK.fields(capture, NAMES, "-2", "-Y", "iwarp.rdmap.opcode")]


def links(rows):
    """(number of the request, number that the Response was given): those that are linked."""
    msns = {row.frame: row.msn for row in rows if row.opcode in (READ, ATOMIC)}
    return [(msns[row.request_in], row.number) for row in rows if row.opcode in (READ_RESPONSE, ATOMIC_RESPONSE) and row.request_in]


def counts(rows):
    return [row.outstanding for row in rows if row.opcode == READ]


def links_after_a_lost_response_are_right():
    """One Read at a time, all with the same Data Sink."""
    lines = list(STARTUP)
    for number in range(1, 7):
        lines += [read(number)[0], answer(number, how="lost" if number == 2 else "")]
    rows = rows_of(made("read", lines))
    run_tshark.equal(links(rows), [(number, number) for number in (1, 3, 4, 5, 6)])
    run_tshark.equal(counts(rows), [1] * 6)


def times_after_a_lost_response_are_right():
    lines = list(STARTUP)
    for number in range(1, 5):
        lines += [read(number)[0], answer(number, how="lost" if number == 2 else "")]
    times = TSHARK.values(made("times", lines), "iwarp.response_time", "-2")
    run_tshark.equal(times, ["0.000010000"] * 3)


def atomic_responses_are_known_by_their_msn():
    """Requests with the same identifier, sent ahead of their Responses."""
    lines = STARTUP + ["i> atomic-request request_id=42 stag=1"] * 4
    lines += [f"r> atomic-response request_id=42 original={number} {'lost' if number == 2 else ''}" for number in range(1, 5)]
    run_tshark.equal(links(rows_of(made("atomic", lines))), [(1, 1), (3, 3), (4, 4)])


def nothing_is_linked_across_missing_octets():
    """Two Reads wait while octets of the responder are missing; which of them they answered is not known."""
    lines = STARTUP + [read(1)[0], read(2)[0], answer(1, how="lost"), answer(2), read(3)[0], answer(3)]
    rows = rows_of(made("across", lines))
    run_tshark.equal(links(rows), [(3, 3)])
    run_tshark.equal(counts(rows), [1, 2, 1])


def many_requests_without_an_answer_change_nothing():
    """2,000 Reads whose Responses are missing, each before the next one is sent."""
    lines = list(STARTUP)
    for number in range(1, 2001):
        lines += [read(number)[0], answer(number, how="lost")]
    lines += [read(2001)[0], answer(2001)]
    rows = rows_of(made("many", lines))
    run_tshark.equal(links(rows), [(2001, 2001)])


def a_match_ends_all_older_requests():
    """1,500 Reads that nothing answers, and one with another Data Sink that is answered."""
    lines = STARTUP + [read(1)[0] + " times=750"] * 2 + [read(1501, 0x78)[0], answer(1501, 0x78), read(1502)[0], answer(1502)]
    rows = rows_of(made("older", lines))
    run_tshark.equal(links(rows), [(1501, 1501), (1502, 1502)])
    run_tshark.equal(counts(rows)[-2:], [1501, 1])


def lost_requests_are_counted_by_msns():
    """Three Reads with the same Data Sink are sent ahead, of which the second one is missing."""
    lines = STARTUP + [read(1)[0], read(2, how="lost")[0], read(3)[0], answer(1), answer(2), answer(3)]
    run_tshark.equal(links(rows_of(made("request", lines))), [(1, 1), (3, 3)])


def writes_of_two_stags_are_not_joined():
    lines = list(STARTUP)
    for stag in (1, 2, 3):
        lines += [f"i> write stag={stag} to={at} len=100 {'' if at == 200 else 'last=0'} {'lost' if (stag, at) == (2, 200) else ''}"
                  for at in (0, 100, 200)]
    names = ["iwarp.ddp.stag", "iwarp.message.first", "iwarp.message.last", "iwarp.message.length"]
    rows = TSHARK.fields(made("write", lines), names, "-2", "-Y", "iwarp.message.first")
    shown = {(cells[0][0], bool(cells[2]), "".join(cells[3])) for cells in rows}
    run_tshark.equal(shown, {("0x00000001", True, "300"), ("0x00000002", False, ""), ("0x00000003", True, "300")})
    run_tshark.equal(len({cells[1][0] for cells in rows}), 3, "messages:")


# --- at random ----------------------------------------------------------------------------------

# Octets of an FPDU that holds an Atomic Response, a Read Response of 8, 64 or 200 octets, or one of two segments of the last one.
RESPONSES, WINDOW = (36, 28, 84, 120, 220, 240), 8


def send_length(least):
    """The length of a Send whose FPDU is as long as no Responses that may wait: a missing one of that length looks like them."""
    sums = {0}
    for _ in range(WINDOW):
        sums |= {known + response for known in sums for response in RESPONSES}
    return next(length for length in range(least, least + 2000) if (2 + 18 + length + 3) // 4 * 4 + 4 not in sums)


SENDS = [send_length(least) for least in (20, 70, 300)]


class Talk:
    """A connection with Reads, Atomic Operations and Sends in which one packet is missing."""

    def __init__(self, rng):
        self.rng, self.lines, self.waiting, self.sent = rng, list(STARTUP), [], 0
        self.window = rng.choice((1, 1, 2, 4, WINDOW))
        self.sinks, self.sizes = rng.choice((1, 1, 3, 50)), rng.choice(((64,), (64,), (8, 64, 200)))
        self.outstanding = {}  # by number of the Read
        for _ in range(60):
            self.step()
        while self.waiting:
            self.answer()
        self.lost = rng.randrange(len(STARTUP), len(self.lines))
        self.lines[self.lost] += " lost"

    def step(self):
        what = self.rng.random()
        if what < 0.1:
            self.lines.append(f"{self.rng.choice('ir')}> send len={self.rng.choice(SENDS)}")
        elif len(self.waiting) < self.window and what < 0.65:
            self.ask()
        elif self.waiting:
            self.answer()

    def ask(self):
        self.sent += 1
        if self.rng.random() < 0.2:
            name = self.rng.randrange(3)
            self.waiting.append((self.sent, None, name))
            self.lines.append(f"i> atomic-request request_id={name} stag=1")
            return
        sink, size = 100 + self.rng.randrange(self.sinks), self.rng.choice(self.sizes)
        self.waiting.append((self.sent, size, sink))
        self.outstanding[self.sent] = sum(entry[1] is not None for entry in self.waiting)
        self.lines.append(read(self.sent, sink, size)[0])

    def answer(self):
        number, size, name = self.waiting.pop(0)
        if size is None:
            self.lines.append(f"r> atomic-response request_id={name} original={number}")
        elif size > 64:
            self.lines.append(f"r> read-response stag={name} to=0x1000 data={number:08x} len=96 last=0")
            self.lines.append(f"r> read-response stag={name} to=0x1064 data={number:08x} len={size - 104}")
        else:
            self.lines.append(answer(number, name, size))

    def asked_after(self):
        """The requests that are sent after what is missing."""
        before = sum("-request" in line and line.startswith("i>") and "mpa" not in line for line in self.lines[:self.lost + 1])
        return range(before + 1, self.sent + 1)


def random_links(seed):
    """Returns how many links there are."""
    rng = random.Random(seed)
    talks = [Talk(rng) for _ in range(8)]
    lines = []
    for number, talk in enumerate(talks, 1):
        lines += [f"connection {number} port={41000 + number}"] + talk.lines
    rows = rows_of(made(f"random-{seed}", lines))
    shown = 0
    for number, talk in enumerate(talks):
        mine = [row for row in rows if row.connection == number]
        wrong = [pair for pair in links(mine) if pair[0] != pair[1]]
        linked = {pair[0] for pair in links(mine)}
        # A missing Send may have carried a Response as well, so such a Response does not count.
        missing = [n for n in talk.asked_after() if n not in linked and not talk.lines[talk.lost].startswith("r> send")]
        bad = [(row.msn, row.outstanding, talk.outstanding[row.msn]) for row in mine
               if row.opcode == READ and row.outstanding and row.outstanding != talk.outstanding[row.msn]]
        what = f"connection {number}, {talk.lines[talk.lost]!r}, window {talk.window}, sinks {talk.sinks}"
        if wrong or missing or bad:
            raise run_tshark.Failed(f"{what}: wrong {wrong}, not linked {missing}, counts {bad}")
        shown += len(linked)
    return shown


TESTS = [links_after_a_lost_response_are_right, times_after_a_lost_response_are_right, atomic_responses_are_known_by_their_msn,
         nothing_is_linked_across_missing_octets, many_requests_without_an_answer_change_nothing, a_match_ends_all_older_requests,
         lost_requests_are_counted_by_msns, writes_of_two_stags_are_not_joined]


def main():
    try:
        if ARGS.count == 0:
            run_tshark.on_each(TESTS)
        print(f"seeds from {ARGS.seed} on")
        run_tshark.on_all(range(ARGS.seed, ARGS.seed + ARGS.count), random_links)
    finally:
        shutil.rmtree(SCRATCH)


main()
