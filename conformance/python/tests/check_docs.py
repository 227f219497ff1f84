# SPDX-License-Identifier: BSD-2-Clause
"""The examples of the page on Python do what the page says: check_docs.py PAGE."""

import doctest
import sys

EXAMPLES_MIN = 10


def main():
    failed, tried = doctest.testfile(sys.argv[1], module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    print(f"{tried} examples, {failed} failed")
    sys.exit(failed > 0 or tried < EXAMPLES_MIN)


if __name__ == "__main__":
    main()
