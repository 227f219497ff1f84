# SPDX-License-Identifier: BSD-2-Clause
"""Reads what the tests want to know of an ELF file: type, segments, dynamic section and symbols."""

import os
import struct
from pathlib import Path

ET_REL, ET_EXEC, ET_DYN = 1, 2, 3
PT_LOAD, PT_INTERP, PT_GNU_RELRO = 1, 3, 0x6474E552
PF_X = 1
SHT_SYMTAB, SHT_DYNAMIC, SHT_DYNSYM = 2, 6, 11
DT_NEEDED, DT_RPATH, DT_BIND_NOW, DT_RUNPATH, DT_FLAGS, DT_FLAGS_1 = 1, 15, 24, 29, 30, 0x6FFFFFFB
DF_BIND_NOW, DF_1_NOW = 8, 1
MACHINES = {62: "x86_64", 3: "i386", 183: "aarch64"}


class Elf:
    """One file; ValueError when it is no ELF file or is cut short."""

    def __init__(self, octets):
        if octets[:4] != b"\x7fELF" or octets[4] not in (1, 2) or octets[5] not in (1, 2):
            raise ValueError("not an ELF file")
        self.octets, self.wide, self.order = octets, octets[4] == 2, "<" if octets[5] == 1 else ">"
        self.type, machine = self.take(16, "HH")
        self.machine = MACHINES.get(machine, str(machine))
        if self.wide:
            program, section = self.take(32, "QQ")
            sizes = self.take(54, "HHHH")
        else:
            program, section = self.take(28, "II")
            sizes = self.take(42, "HHHH")
        self.segments = [self.segment(program + i * sizes[0]) for i in range(sizes[1])]
        self.sections = [self.section(section + i * sizes[2]) for i in range(sizes[3])]

    def take(self, at, form):
        try:
            return struct.unpack_from(self.order + form, self.octets, at)
        except struct.error as problem:
            raise ValueError("cut short") from problem

    def segment(self, at):
        """(type, flags, offset, size in the file, address)"""
        if self.wide:
            kind, flags, offset, address, _, size = self.take(at, "IIQQQQ")
        else:
            kind, offset, address, _, size, _, flags = self.take(at, "IIIIIII")
        return kind, flags, offset, size, address

    def section(self, at):
        """(type, offset, size, number of the section with its names)"""
        _, kind, _, _, offset, size, link = self.take(at, "IIQQQQI" if self.wide else "IIIIIII")
        return kind, offset, size, link

    def name(self, link, at):
        begin = self.sections[link][1] + at
        return self.octets[begin:self.octets.index(b"\0", begin)].decode()

    def dynamic(self):
        """[(tag, value)], in which names of libraries and paths are text."""
        out, form = [], "qQ" if self.wide else "iI"
        for kind, offset, size, link in self.sections:
            for at in range(offset, offset + size if kind == SHT_DYNAMIC else 0, struct.calcsize("<" + form)):
                tag, value = self.take(at, form)
                out.append((tag, self.name(link, value) if tag in (DT_NEEDED, DT_RPATH, DT_RUNPATH) else value))
        return out

    def symbols(self, kind):
        """{name: (address, number of its section: 0 where it is of another file)}"""
        out = {}
        for found, offset, size, link in self.sections:
            for at in range(offset, offset + size if found == kind else 0, 24 if self.wide else 16):
                if self.wide:
                    name, _, _, section, address = self.take(at, "IBBHQ")
                else:
                    name, address, _, _, _, section = self.take(at, "IIIBBH")
                out[self.name(link, name)] = (address, section)
        return out

    def paths(self):
        """The elements of RPATH and RUNPATH."""
        return [part for tag, value in self.dynamic() if tag in (DT_RPATH, DT_RUNPATH) for part in value.split(":")]

    def needed(self):
        return [value for tag, value in self.dynamic() if tag == DT_NEEDED]

    def flag(self, tag, bit):
        return any(found == tag and value & bit for found, value in self.dynamic())

    def at_address(self, address, size):
        for kind, _, offset, length, begin in self.segments:
            if kind == PT_LOAD and begin <= address < begin + length:
                return self.octets[offset + address - begin:offset + address - begin + size]
        return b""

    def code(self):
        return [self.octets[offset:offset + size] for kind, flags, offset, size, _ in self.segments
                if kind == PT_LOAD and flags & PF_X]


def read(path):
    return Elf(Path(path).read_bytes())


def linked_files(folder, without=()):
    """Yields (path, Elf) of each program and each shared library below a folder."""
    for root, dirs, names in os.walk(folder):
        dirs[:] = sorted(d for d in dirs if os.path.join(root, d) not in without)
        for name in sorted(names):
            path = Path(root) / name
            if path.is_symlink() or not path.is_file() or path.suffix in (".o", ".a"):
                continue
            with open(path, "rb") as stream:
                is_elf = stream.read(4) == b"\x7fELF"
            if is_elf:
                found = read(path)
                if found.type != ET_REL:
                    yield path, found
