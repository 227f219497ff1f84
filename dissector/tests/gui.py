# SPDX-License-Identifier: BSD-2-Clause
"""Wireshark itself opens a capture with the plugin, filters it, and shows a finding that is clicked: gui.py RUNNER CAPTURE [PNG]

gui.py RUNNER --tour CAPTURE FOLDER makes pictures of the expert dialog and of statistics instead, opened from the menus.
gui.py RUNNER --plain CAPTURE PNG makes a picture of the packets with a comment.

A screen without a display (Xvfb), the keyboard and mouse of xdotool, and what screen readers read (AT-SPI). The program runs
itself again inside the runner's settings and a message bus of its own. PNG is a picture of the screen at the end.
"""
import os
import shutil
import subprocess
import sys
import time

HANG_S = 3600  # of one step: the sign that it never comes, which no load of the machine makes
FINDING, FIELD, VALUE = "mpa.marker-pointer", "iwarp.marker.fpduptr", "FPDU Pointer (FPDUPTR): 516"
# Entry of the menu Statistics, iWARP, and the title of its window.
MENU = {"PDUs": "iWARP PDUs", "Broken rules": "iWARP rules", "Response times": "iWARP response times",
        "Service response times": "iWARP Service Response Time", "STags": "iWARP STags", "Connections": "iWARP connections"}
NEEDED = ("wireshark", "Xvfb", "xdotool", "dbus-run-session", "import")


def outside(runner, *arguments):
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if missing or subprocess.run(["/usr/bin/python3", "-c", "import gi"], check=False, stderr=subprocess.DEVNULL).returncode:
        print("skipped: not installed:", *missing, "or python3-pyatspi")
        return 77
    environment = {**os.environ, "IWARP_WIRESHARK": shutil.which("dbus-run-session")}
    paths = [path if path.startswith("--") else os.path.abspath(path) for path in arguments]
    program = ["/usr/bin/python3", os.path.abspath(__file__), "--inside", *paths]
    return subprocess.run([runner, "--", *program], env=environment, check=False).returncode


# --- what is on the screen ----------------------------------------------------------------------


class Screen:
    """Wireshark on a screen of its own."""

    def __init__(self, capture, *options):
        ready, number = os.pipe()
        words = ["Xvfb", "-displayfd", str(number), "-screen", "0", "1400x1000x24", "-nolisten", "tcp"]
        self.server = subprocess.Popen(words, pass_fds=[number], stderr=subprocess.DEVNULL)
        os.environ.update(DISPLAY=":" + os.read(ready, 16).decode().strip(), QT_LINUX_ACCESSIBILITY_ALWAYS_ON="1",
                          XDG_RUNTIME_DIR=os.environ["HOME"])
        self.wireshark = subprocess.Popen(["wireshark", *options, "-r", capture], stderr=subprocess.PIPE)

    def end(self):
        for program in (self.wireshark, self.server):
            program.terminate()
            program.wait()
        return self.wireshark.stderr.read().decode(errors="replace")


def until(what, find):
    """What find() returns, once it returns something."""
    for _ in range(HANG_S * 5):
        found = find()
        if found:
            print(f"ok {what}", flush=True)
            return found
        time.sleep(0.2)
    raise SystemExit(f"FAILED {what}")


def xdotool(*words):
    subprocess.run(["xdotool", *map(str, words)], check=True)


class Reader:
    """What screen readers read of Wireshark."""

    def __init__(self):
        import gi  # of the system's Python, and only in the session of its own

        gi.require_version("Atspi", "2.0")
        from gi.repository import Atspi

        self.atspi, self.error = Atspi, gi.repository.GLib.GError
        Atspi.init()
        Atspi.set_timeout(1000 * HANG_S, 1000 * HANG_S)

    def all(self, role=None, within=None):
        """Yields what is on the screen, with its name. Trees have many cells, so only who looks for cells gets to them."""
        item = within or self.atspi.get_desktop(0)
        try:
            for index in range(item.get_child_count()):
                child = item.get_child_at_index(index)
                if child is not None:
                    if role in (None, child.get_role_name()):
                        yield child, child.get_name() or ""
                    if role == "table cell" or child.get_role_name() != "tree":
                        yield from self.all(role, child)
        except self.error:  # it went away while it was read
            return

    def one(self, role, name, within=None):
        return next((item for item, text in self.all(role, within) if name in text), None)

    def menu(self):
        """The menu Statistics, iWARP, and its entries by their names."""
        # Service Response Time has an entry iWARP too, without entries below it.
        for menu, name in self.all("menu item", self.one("menu item", "Statistics")):
            if name == "iWARP" and menu.get_child_count():
                return menu, {text: item for item, text in self.all("menu item", menu)}
        raise SystemExit("FAILED no menu Statistics, iWARP")

    def dialog(self, title):
        """The dialog with this title: a window of a program."""
        desktop = self.atspi.get_desktop(0)
        for program in filter(None, (desktop.get_child_at_index(i) for i in range(desktop.get_child_count()))):
            for window in filter(None, (program.get_child_at_index(i) for i in range(program.get_child_count()))):
                if window.get_role_name() == "dialog" and title in (window.get_name() or ""):
                    return window
        return None

    def has(self, tree, text):
        """True if a cell of a tree holds the text."""
        return any(text in cell for cell in self.cells(tree))

    def cells(self, tree):
        found = self.one("tree", tree)
        return [text for _, text in self.all("table cell", found)] if found else []

    def place(self, item):
        return item.get_component_iface().get_extents(self.atspi.CoordType.SCREEN)

    def click(self, tree, text):
        """Turns the wheel until the cell is seen, and clicks it."""
        view = self.place(self.one("tree", tree))
        for _ in range(1000):
            cell = self.place(self.one("table cell", text, self.one("tree", tree)))
            if view.y <= cell.y and cell.y + 2 * cell.height <= view.y + view.height:
                xdotool("mousemove", cell.x + 40, cell.y + cell.height // 2, "click", 1)
                return
            xdotool("mousemove", view.x + 40, view.y + view.height // 2, "click", 4 if cell.y < view.y else 5)
        raise SystemExit(f"FAILED {text} cannot be seen")


# --- the test ----------------------------------------------------------------------------------


def steps(capture):
    # Whoever reads while Wireshark still begins is shown nothing, then and later.
    xdotool("search", "--sync", "--name", f"^{os.path.basename(capture)}$", "windowmove", 0, 0, "windowsize", 1400, 1000,
            "windowfocus")
    reader = Reader()
    until("the capture is open", lambda: len(reader.cells("Packet list")) >= 12 * 6)
    xdotool("key", "ctrl+slash", "type", "iwarp.rule")
    xdotool("key", "Return")
    until("the filter leaves one frame", lambda: len(reader.cells("Packet list")) == 12)
    reader.click("Packet list", "RDMA Write")
    until("its details are there", lambda: reader.has("Packet details", "iWARP: "))
    xdotool("key", "ctrl+Right")
    until("its field is there", lambda: reader.has("Packet details", VALUE))
    reader.click("Packet details", VALUE)
    until("the status bar names the field", lambda: reader.one("label", FIELD))
    until("its finding is there", lambda: reader.has("Packet details", f"[{FINDING}: "))
    reader.click("Packet details", f"[{FINDING}: ")
    until("the status bar names the rule", lambda: reader.one("label", f"iwarp.rule.{FINDING}"))
    _, entries = reader.menu()
    until("the menu has all statistics", lambda: list(entries) == list(MENU))
    for name, title in MENU.items():
        entries[name].get_action_iface().do_action(0)
        opened(title)
        close(reader, title)


def close(reader, title):
    dialog = until(f"{title} can be read", lambda: reader.dialog(title))
    reader.one("push button", "Close", dialog).get_action_iface().do_action(0)
    until(f"{title} is closed", lambda: not windows(title))


def windows(title):
    found = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", title], stdout=subprocess.PIPE, check=False)
    return found.stdout.decode().split()


def opened(title):
    return until(f"{title} is open", lambda: windows(title))[0]


# Entry of the menu Statistics, iWARP, or another menu item, and the picture of its window.
# Expert Information comes last: after it was closed, screen readers see no other dialog.
TOUR = (("PDUs", "dissector-pdus.png"), ("Response times", "dissector-times.png"), ("Broken rules", "dissector-rules.png"),
        ("Expert Information", "dissector-expert.png"))


def pictures(capture, folder):
    xdotool("search", "--sync", "--name", f"^{os.path.basename(capture)}$", "windowmove", 0, 0, "windowsize", 1400, 1000,
            "windowfocus")
    reader = Reader()
    until("the capture is open", lambda: len(reader.cells("Packet list")) >= 12 * 6)
    menu, entries = reader.menu()
    for item, png in TOUR:
        title = MENU.get(item, item)
        (entries.get(item) or reader.one("menu item", item)).get_action_iface().do_action(0)
        window = opened(title)
        xdotool("windowsize", "--sync", window, 900, 420)
        dialog = until("it can be read", lambda title=title: reader.dialog(title))
        until("it has rows", lambda dialog=dialog: any(text for _, text in reader.all("table cell", dialog)))
        picture(window, os.path.join(folder, png))
        close(reader, title)
    menu_picture(reader, menu, entries["PDUs"], os.path.join(folder, "dissector-menu.png"))


def menu_picture(reader, menu, first, png):
    """Opens the menu Statistics, iWARP by its keys and the mouse."""
    xdotool("key", "alt+s")
    at = until("the menu is on the screen", lambda: reader.place(menu) if reader.place(menu).y > 0 else None)
    xdotool("mousemove", at.x + 40, at.y + at.height // 2, "click", 1)
    beside = until("its entries are on the screen", lambda: reader.place(first) if reader.place(first).x > at.x else None)
    width = beside.x + beside.width + 20
    picture("root", png, "-crop", f"{width}x{at.y + 240}+0+0")


def comments(capture, png):
    xdotool("search", "--sync", "--name", f"^{os.path.basename(capture)}$", "windowmove", 0, 0, "windowsize", 1100, 640,
            "windowfocus")
    reader = Reader()
    until("the capture is open", lambda: len(reader.cells("Packet list")) >= 7 * 6)
    xdotool("key", "ctrl+slash", "type", "frame.comment")
    xdotool("key", "Return")
    until("the filter leaves what has comments", lambda: 0 < len(reader.cells("Packet list")) <= 7 * 4)
    reader.click("Packet list", "10.0.0.1")
    until("its details are there", lambda: reader.has("Packet details", "Packet comments"))
    xdotool("key", "ctrl+Right")
    until("the comment is there", lambda: reader.has("Packet details", "MUST"))
    picture("root", png, "-crop", "1100x640+0+0")


def picture(window, png, *options):
    subprocess.run(["import", "-window", window, *options, "+dither", "-colors", "24", png], check=True)


def inside(*arguments):
    how = arguments[0] if arguments[0].startswith("--") else ""
    capture, *png = arguments[1 if how else 0:]
    screen = Screen(capture, *([] if how == "--plain" else ["-C", "iWARP"]))
    try:
        if how:
            {"--tour": pictures, "--plain": comments}[how](capture, *png)
            png = []
        else:
            steps(capture)
        if png:
            subprocess.run(["import", "-window", "root", *png], check=True)
    finally:
        errors = screen.end()
    defects = [line for line in errors.splitlines() if "CRITICAL" in line or "issector bug" in line]
    print(*defects, sep="\n")
    return 1 if defects else 0


if __name__ == "__main__":
    sys.exit(inside(*sys.argv[2:]) if sys.argv[1] == "--inside" else outside(*sys.argv[1:]))
