# SPDX-License-Identifier: BSD-2-Clause
"""The call graph of the files has no circle: callgraph.py NM [--known FILE+FILE...] OBJECT...

A file calls another when its object refers to a symbol that the other object defines, data included.
Files that call one another in a circle are one file in disguise.  A circle that is known is given
with --known (file names joined by +); one that is gone is a complaint too.
"""

import subprocess
import sys
from pathlib import Path

import tree


def symbols(nm, objects):
    """Yields (object, symbol, whether it is defined there) for global symbols."""
    out = subprocess.run([nm, "-A", "-P", "-g", *objects], check=True, capture_output=True, text=True).stdout
    for line in out.splitlines():
        name, _, rest = line.partition(": ")
        words = rest.split()
        if len(words) >= 2:
            yield name, words[0], words[1] not in ("U", "w", "v")


def graph(found):
    """Maps each object to the objects that it calls."""
    home, wanted = {}, []
    for name, symbol, defined in found:
        if defined:
            home[symbol] = name
        else:
            wanted.append((name, symbol))
    edges = {name: {} for name in home.values()}
    for name, symbol in wanted:
        if symbol in home and home[symbol] != name:
            edges.setdefault(name, {}).setdefault(home[symbol], symbol)
    return edges


def circles(edges):
    """The strongly connected sets of more than one node (Tarjan, without recursion)."""
    index, low, on, stack, found = {}, {}, set(), [], []
    for root in sorted(edges):
        if root in index:
            continue
        work = [(root, iter(sorted(edges[root])))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on.add(root)
        while work:
            node, targets = work[-1]
            target = next(targets, None)
            if target is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    members = set()
                    while node not in members:
                        members.add(stack.pop())
                    on -= members
                    if len(members) > 1:
                        found.append(members)
            elif target not in index:
                index[target] = low[target] = len(index)
                stack.append(target)
                on.add(target)
                work.append((target, iter(sorted(edges.get(target, ())))))
            elif target in on:
                low[node] = min(low[node], index[target])
    return found


def file_of(name):
    """The source of an object: libiwarp/CMakeFiles/iwarp.dir/src/ddp/hdr.c.o is src/ddp/hdr.c."""
    return name.split(".dir/")[-1].removesuffix(".o")


def check(edges, known):
    complaints, seen = [], []
    for members in circles(edges):
        files = sorted(Path(file_of(m)).name for m in members)
        seen.append(files)
        if files not in known:
            calls = [f"{file_of(a)} -> {file_of(b)} ({symbol})" for a in sorted(members)
                     for b, symbol in sorted(edges[a].items()) if b in members]
            complaints.append("files that call one another in a circle: " + ", ".join(calls))
    complaints += [f"the circle of {'+'.join(k)} is gone: remove it from the list" for k in known if k not in seen]
    return complaints


def main(args):
    nm, known = args.pop(0), []
    while args and args[0] == "--known":
        known.append(sorted(args[1].split("+")))
        args = args[2:]
    edges = graph(symbols(nm, [o for arg in args for o in arg.split(";")]))
    print(f"{len(edges)} files, {sum(map(len, edges.values()))} calls between them")
    tree.finish("callgraph", check(edges, known))


if __name__ == "__main__":
    main(sys.argv[1:])
