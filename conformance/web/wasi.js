// SPDX-License-Identifier: BSD-2-Clause
// The part of WASI (wasi_snapshot_preview1) that the module uses, over files in memory: no network, no file of the machine.

const errno = { ok: 0, badf: 8, exist: 20, inval: 28, isdir: 31, noent: 44, nosys: 52, notdir: 54, notempty: 55, spipe: 70 };
const filetype = { unknown: 0, directory: 3, regular: 4 };
const oflags = { creat: 1, directory: 2, excl: 4, trunc: 8 };
const fdflags = { append: 1 };
const allRights = 0xffffffffffffffffn;
const rootFd = 3; // the folder that is open from the beginning

/** ExitStatus ends a run from inside the module. */
class ExitStatus extends Error {
  constructor(status) {
    super(`exit status ${status}`);
    this.status = status;
  }
}

/** MemoryFile is a file that can be written: octets in an array that doubles. */
class MemoryFile {
  constructor(octets = new Uint8Array(0)) {
    this.octets = octets;
    this.size = octets.length;
  }

  read(at, into) {
    const piece = this.octets.subarray(at, Math.min(at + into.length, this.size));
    into.set(piece);
    return piece.length;
  }

  write(at, from) {
    this.resize(Math.max(this.size, at + from.length));
    this.octets.set(from, at);
  }

  resize(size) {
    if (size > this.octets.length) {
      const larger = new Uint8Array(Math.max(size, 2 * this.octets.length, 4096));
      larger.set(this.octets.subarray(0, this.size));
      this.octets = larger;
    } else if (size < this.size) {
      this.octets.fill(0, size, this.size);
    }
    this.size = size;
  }

  contents() {
    return this.octets.subarray(0, this.size);
  }
}

/** ReadFile is a file that is only read: `readAt(at, length)` returns its octets from there on. Large pieces are read at a
 * time, since a call of FileReaderSync costs as much as a copy of some 100 KiB. */
class ReadFile {
  constructor(size, readAt, piece = 1 << 22) {
    this.size = size;
    this.readAt = readAt;
    this.piece = piece;
    this.at = 0;
    this.held = new Uint8Array(0);
  }

  read(at, into) {
    let done = 0;
    while (done < into.length && at + done < this.size) {
      const from = at + done;
      if (from < this.at || from >= this.at + this.held.length) {
        this.held = this.readAt(from, Math.min(this.piece, this.size - from));
        this.at = from;
      }
      const part = this.held.subarray(from - this.at, from - this.at + into.length - done);
      into.set(part, done);
      done += part.length;
    }
    return done;
  }
}

/** Wasi is the system of one run: `args` are the words of the command line, `files` maps names to files, `stdin` are octets,
 * `stdout` and `stderr` take octets, `random` gives random ones, `read` is told how far a file was read. */
class Wasi {
  constructor({ args, files = new Map(), stdin = new Uint8Array(0), stdout, stderr, random, read = () => {} }) {
    this.args = args;
    this.env = [];
    this.outputs = [null, stdout, stderr];
    this.random = random;
    this.told = read;
    this.nextIno = 10n;
    this.tree = new Map([['', this.folder()], ['tmp', this.folder()]]);
    for (const [name, file] of files) {
      this.tree.set(name, this.node(file));
    }
    const input = { type: filetype.unknown, ino: 1n, file: new MemoryFile(stdin) };
    this.open = [
      { node: input, at: 0, stream: true },
      { node: { type: filetype.unknown, ino: 2n }, at: 0, stream: true },
      { node: { type: filetype.unknown, ino: 3n }, at: 0, stream: true },
      { node: this.tree.get(''), path: '' },
    ];
    this.provided = this.calls();
  }

  folder() {
    return { type: filetype.directory, ino: this.nextIno++ };
  }

  node(file) {
    return { type: filetype.regular, ino: this.nextIno++, file };
  }

  /** run makes an instance of the module and calls it; returns its exit status. A call that this system lacks fails. */
  run(module) {
    const system = {};
    for (const { name } of WebAssembly.Module.imports(module)) {
      system[name] = this.provided[name] ?? (() => errno.nosys);
    }
    const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: system });
    this.memory = instance.exports.memory;
    try {
      instance.exports._initialize();
      return instance.exports.iwarp_run();
    } catch (error) {
      if (error instanceof ExitStatus) {
        return error.status;
      }
      throw error;
    }
  }

  view() {
    return new DataView(this.memory.buffer);
  }

  octets(at, length) {
    return new Uint8Array(this.memory.buffer, at, length);
  }

  /** path returns the key of a path below a folder in the tree, or null if it leads out of it. */
  path(fd, at, length) {
    const folder = this.open[fd];
    if (!folder || folder.path === undefined) {
      return null;
    }
    const text = new TextDecoder().decode(this.octets(at, length).slice());
    const parts = text.startsWith('/') || folder.path === '' ? [] : folder.path.split('/');
    for (const part of text.split('/')) {
      if (part === '..' && parts.pop() === undefined) {
        return null;
      }
      if (part !== '' && part !== '.' && part !== '..') {
        parts.push(part);
      }
    }
    return parts.join('/');
  }

  file(fd) {
    const open = this.open[fd];
    return open && open.node.file ? open : null;
  }

  putStat(at, node) {
    const view = this.view();
    this.octets(at, 64).fill(0);
    view.setBigUint64(at, 1n, true); // device
    view.setBigUint64(at + 8, node.ino, true);
    view.setUint8(at + 16, node.type);
    view.setBigUint64(at + 24, 1n, true); // links
    view.setBigUint64(at + 32, BigInt(node.file ? node.file.size : 0), true);
    return errno.ok;
  }

  putStrings(texts, pointers, at) {
    const view = this.view();
    for (const text of texts) {
      const encoded = new TextEncoder().encode(`${text}\0`);
      view.setUint32(pointers, at, true);
      this.octets(at, encoded.length).set(encoded);
      pointers += 4;
      at += encoded.length;
    }
    return errno.ok;
  }

  putSizes(texts, count, size) {
    const view = this.view();
    view.setUint32(count, texts.length, true);
    view.setUint32(size, texts.reduce((sum, text) => sum + new TextEncoder().encode(text).length + 1, 0), true);
    return errno.ok;
  }

  /** pieces calls `take` with each piece of memory of a list, until one is not taken whole; returns the octets taken. */
  pieces(list, count, take) {
    const view = this.view();
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const piece = this.octets(view.getUint32(list + 8 * i, true), view.getUint32(list + 8 * i + 4, true));
      const taken = take(piece);
      sum += taken;
      if (taken < piece.length) {
        break;
      }
    }
    return sum;
  }

  readAt(open, list, count, at, result) {
    const sum = this.pieces(list, count, (piece) => {
      const got = open.node.file.read(at, piece);
      at += got;
      return got;
    });
    this.view().setUint32(result, sum, true);
    this.told(open.node.file, at);
    return at;
  }

  openPath(fd, pathAt, pathLength, how, flags, result) {
    const path = this.path(fd, pathAt, pathLength);
    let node = path === null ? undefined : this.tree.get(path);
    if (path === null || (!node && !(how & oflags.creat))) {
      return errno.noent;
    }
    if (node && how & oflags.creat && how & oflags.excl) {
      return errno.exist;
    }
    if (node && how & oflags.directory && node.type !== filetype.directory) {
      return errno.notdir;
    }
    if (!node) {
      const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
      if (!this.tree.has(folder)) {
        return errno.noent;
      }
      node = this.node(new MemoryFile());
      this.tree.set(path, node);
    }
    if (how & oflags.trunc && node.file) {
      node.file.resize(0);
    }
    let number = rootFd + 1;
    while (this.open[number]) {
      number++;
    }
    this.open[number] = node.type === filetype.directory ? { node, path } : { node, at: 0, append: (flags & fdflags.append) !== 0 };
    this.view().setUint32(result, number, true);
    return errno.ok;
  }

  seek(fd, offset, whence, result) {
    const open = this.file(fd);
    if (!open) {
      return errno.badf;
    }
    if (open.stream) {
      return errno.spipe;
    }
    const from = [0, open.at, open.node.file.size][whence];
    const at = from + Number(offset);
    if (!(at >= 0)) {
      return errno.inval;
    }
    open.at = at;
    this.view().setBigUint64(result, BigInt(at), true);
    return errno.ok;
  }

  write(fd, list, count, result) {
    const open = this.open[fd];
    const output = this.outputs[fd];
    if (!open || (!output && !open.node.file)) {
      return errno.badf;
    }
    const sum = this.pieces(list, count, (piece) => {
      if (output) {
        output(piece.slice());
        return piece.length;
      }
      open.at = open.append ? open.node.file.size : open.at;
      open.node.file.write(open.at, piece);
      open.at += piece.length;
      return piece.length;
    });
    this.view().setUint32(result, sum, true);
    return errno.ok;
  }

  readFolder(fd, at, length, cookie, result) {
    const open = this.open[fd];
    if (!open || open.path === undefined) {
      return errno.badf;
    }
    const prefix = open.path === '' ? '' : `${open.path}/`;
    const names = [...this.tree.keys()].filter((path) => path !== '' && path.startsWith(prefix) && !path.slice(prefix.length).includes('/'));
    let used = 0;
    for (let i = Number(cookie); i < names.length && used < length; i++) {
      const name = new TextEncoder().encode(names[i].slice(prefix.length));
      const entry = new Uint8Array(24 + name.length);
      const view = new DataView(entry.buffer);
      view.setBigUint64(0, BigInt(i + 1), true);
      view.setBigUint64(8, this.tree.get(names[i]).ino, true);
      view.setUint32(16, name.length, true);
      view.setUint8(20, this.tree.get(names[i]).type);
      entry.set(name, 24);
      const part = entry.subarray(0, length - used);
      this.octets(at + used, part.length).set(part);
      used += part.length;
    }
    this.view().setUint32(result, used, true);
    return errno.ok;
  }

  calls() {
    const at = (fd, work) => {
      const open = this.file(fd);
      return open ? work(open) : errno.badf;
    };
    return {
      args_get: (pointers, octets) => this.putStrings(this.args, pointers, octets),
      args_sizes_get: (count, size) => this.putSizes(this.args, count, size),
      environ_get: (pointers, octets) => this.putStrings(this.env, pointers, octets),
      environ_sizes_get: (count, size) => this.putSizes(this.env, count, size),
      clock_time_get: (clock, precision, result) => {
        const now = clock === 0 ? Date.now() : performance.now();
        this.view().setBigUint64(result, BigInt(Math.floor(now * 1e6)), true);
        return errno.ok;
      },
      random_get: (pointer, length) => {
        for (let done = 0; done < length; done += 65536) {
          this.octets(pointer + done, Math.min(65536, length - done)).set(this.random.getRandomValues(new Uint8Array(Math.min(65536, length - done))));
        }
        return errno.ok;
      },
      proc_exit: (status) => {
        throw new ExitStatus(status);
      },
      sched_yield: () => errno.ok,
      fd_close: (fd) => {
        if (!this.open[fd]) {
          return errno.badf;
        }
        this.open[fd] = undefined;
        return errno.ok;
      },
      fd_fdstat_get: (fd, result) => {
        const open = this.open[fd];
        if (!open) {
          return errno.badf;
        }
        const view = this.view();
        view.setUint8(result, open.node.type);
        view.setUint16(result + 2, open.append ? fdflags.append : 0, true);
        view.setBigUint64(result + 8, allRights, true);
        view.setBigUint64(result + 16, allRights, true);
        return errno.ok;
      },
      fd_fdstat_set_flags: () => errno.ok,
      fd_filestat_get: (fd, result) => (this.open[fd] ? this.putStat(result, this.open[fd].node) : errno.badf),
      fd_filestat_set_size: (fd, size) => at(fd, (open) => {
        open.node.file.resize(Number(size));
        return errno.ok;
      }),
      fd_prestat_get: (fd, result) => {
        if (fd !== rootFd) {
          return errno.badf;
        }
        this.view().setUint8(result, 0);
        this.view().setUint32(result + 4, 1, true);
        return errno.ok;
      },
      fd_prestat_dir_name: (fd, pointer) => {
        this.octets(pointer, 1)[0] = 0x2f; // "/"
        return fd === rootFd ? errno.ok : errno.badf;
      },
      fd_read: (fd, list, count, result) => at(fd, (open) => {
        open.at = this.readAt(open, list, count, open.at, result);
        return errno.ok;
      }),
      fd_pread: (fd, list, count, offset, result) => at(fd, (open) => {
        this.readAt(open, list, count, Number(offset), result);
        return errno.ok;
      }),
      fd_readdir: (fd, pointer, length, cookie, result) => this.readFolder(fd, pointer, length, cookie, result),
      fd_seek: (fd, offset, whence, result) => this.seek(fd, offset, whence, result),
      fd_tell: (fd, result) => this.seek(fd, 0n, 1, result),
      fd_write: (fd, list, count, result) => this.write(fd, list, count, result),
      path_filestat_get: (fd, flags, pointer, length, result) => {
        const path = this.path(fd, pointer, length);
        const node = path === null ? undefined : this.tree.get(path);
        return node ? this.putStat(result, node) : errno.noent;
      },
      path_open: (fd, dirflags, pointer, length, how, base, inheriting, flags, result) =>
        this.openPath(fd, pointer, length, how, flags, result),
      path_readlink: () => errno.inval, // nothing is a link
      path_rename: (fd, oldAt, oldLength, newFd, newAt, newLength) => {
        const from = this.path(fd, oldAt, oldLength);
        const to = this.path(newFd, newAt, newLength);
        const node = from === null ? undefined : this.tree.get(from);
        if (!node || to === null) {
          return errno.noent;
        }
        this.tree.delete(from);
        this.tree.set(to, node);
        return errno.ok;
      },
      path_unlink_file: (fd, pointer, length) => {
        const path = this.path(fd, pointer, length);
        return path !== null && this.tree.delete(path) ? errno.ok : errno.noent;
      },
    };
  }
}

export { ExitStatus, MemoryFile, ReadFile, Wasi };
