#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""completions: the completions for bash, zsh and fish are those that --help makes.   completions.py TOOL ROOT [--update]

--help prints the tables of commands and options (conformance/cli/opts_table.c). --update writes conformance/cli/completions.
The tool takes each value that is offered for an option, and each shell that is installed offers what it should.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

FOLDER = "conformance/cli/completions"
HEAD = "# SPDX-License-Identifier: BSD-2-Clause\n# Made by conformance/tests/golden/completions.py --update from `iwarp --help`.\n"
LISTED = {"FORMAT", "LEVEL", "WHEN", "LAYER"}  # arguments whose values the help of the option lists
RULES = "iwarp rules 2>/dev/null | cut -d ' ' -f 1"


def run(*words, status=0, **how):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, **how)
    assert done.returncode == status, "%s: %s" % (words, done.stderr.decode())
    return done.stdout.decode("utf-8")


class Option:
    """A line about an option."""

    def __init__(self, letter, name, argument, text):
        self.flags = [flag for flag in (letter and "-" + letter, name and "--" + name) if flag]
        self.argument, self.text = argument, text
        self.values, self.kind = self.values_of(argument, text)

    @staticmethod
    def values_of(argument, text):
        """The values of an option, and else what they are: file, interface, rule, or None."""
        if argument == "on|off":
            return ["on", "off"], None
        if argument == "FORMAT=FILE":
            return ["text=", "jsonl=", "timeline=", "junit=", "sarif=", "tap=", "tap13=", "html="], None
        if argument == "NAME|FILE":
            return re.search(r"expected: (\w+), or a file", text).groups(), "file"
        if argument in LISTED:
            found = re.sub(r"\([^)]*\)", "", text).rpartition(":")[2]
            words = [part.split()[0] for part in re.split(r",| or ", found) if part.strip() not in ("", "...")]
            assert len(words) > 1, "no values of %s: %s" % (argument, text)
            return words, None
        return [], {"FILE": "file", "IFACE": "interface", "GLOB": "rule"}.get(argument)


class Command:
    """A command, its options, and what its operands are."""

    def __init__(self, tool, name, summary):
        text = run(tool, name, "--help")
        self.name, self.summary = name, summary
        rows = re.findall(r"^  (?:-(\w)(?:, | |$)|    )(?:--([\w-]+))? ?(\S+)?  +(\S.*)", text.split("Options:")[1], re.MULTILINE)
        self.options = [Option(*row) for row in rows] if "Options:" in text else []
        operand = re.search(r"^Usage: iwarp \w+ ?(.*)", text).group(1).replace("[options]", "").split()
        self.operand = {"CAPTURE": "file", "SCENARIO": "file", "RESULT": "file", "GLOB": "rule", "SLUG": "rule",
                        "COMMAND": "command"}.get(re.sub(r"[^A-Z].*", "", operand[0].strip("[]")) if operand else "")


def commands_of(tool):
    listed = re.findall(r"^  (\w+) +(\S.*)", run(tool, "--help").split("Commands:")[1], re.MULTILINE)
    return [Command(tool, *row) for row in listed]


# ---- bash ----

BASH = HEAD + r"""
# _iwarp_flags COMMAND prints its options.
_iwarp_flags() {
  case $1 in
@FLAGS
  esac
}

# _iwarp_values COMMAND OPTION prints the values of an option, or the kind of its argument as @KIND.
_iwarp_values() {
  case "$1 $2" in
@VALUES
  esac
}

# _iwarp_operand COMMAND prints the kind of its operands.
_iwarp_operand() {
  case $1 in
@OPERANDS
  esac
}

_iwarp_offer() {
  local cur=$1 word
  shift
  for word in "$@"; do
    case $word in
      @file)
        compopt -o filenames 2>/dev/null
        local IFS=$'\n'
        COMPREPLY+=($(compgen -f -- "$cur"))
        ;;
      @interface)
        # A name may hold any octet but '/', ':' and white space, and compgen -W would run what is in it.
        compopt -o filenames 2>/dev/null
        local IFS=$'\n'
        COMPREPLY+=($(builtin cd /sys/class/net 2>/dev/null && compgen -f -- "$cur"))
        ;;
      @rule) COMPREPLY+=($(compgen -W "$(@RULES)" -- "$cur")) ;;
      @command) COMPREPLY+=($(compgen -W '@COMMANDS' -- "$cur")) ;;
      *=) compopt -o nospace 2>/dev/null; COMPREPLY+=($(compgen -W "$word" -- "$cur")) ;;
      *) COMPREPLY+=($(compgen -W "$word" -- "$cur")) ;;
    esac
  done
}

_iwarp() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} values
  COMPREPLY=()
  # --only=GLOB comes as three words.
  if [[ $cur == = ]]; then
    cur=
  elif [[ $prev == = ]]; then
    prev=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  if ((COMP_CWORD == 1)); then
    _iwarp_offer "$cur" @command --help --version
    return
  fi
  values=$(_iwarp_values "$command" "$prev")
  if [[ -n $values ]]; then
    [[ $values == @none ]] || _iwarp_offer "$cur" $values
  elif [[ $cur == -* ]]; then
    _iwarp_offer "$cur" $(_iwarp_flags "$command")
  else
    _iwarp_offer "$cur" $(_iwarp_operand "$command")
  fi
}
complete -F _iwarp iwarp
"""


def words_of(option):
    return [*option.values, *(["@" + option.kind] if option.kind else [])] or ["@none"]


def bash(commands):
    flags = "\n".join("    %s) echo %s ;;" % (c.name, " ".join(f for o in c.options for f in o.flags)) for c in commands)
    values = "\n".join("    %s) echo %s ;;" % (" | ".join("'%s %s'" % (c.name, flag) for flag in o.flags), " ".join(words_of(o)))
                       for c in commands for o in c.options if o.argument)
    operands = "\n".join("    %s) echo @%s ;;" % (c.name, c.operand) for c in commands if c.operand)
    text = BASH.replace("@FLAGS", flags).replace("@VALUES", values).replace("@OPERANDS", operands)
    return text.replace("@RULES", RULES).replace("@COMMANDS", " ".join(c.name for c in commands))


# ---- zsh ----

ZSH = "#compdef iwarp\n" + HEAD + r"""
_iwarp_rules() {
  local -a rules
  rules=(${(f)"$(@RULES)"})
  compadd -a rules
}

_iwarp_commands() {
  local -a commands
  commands=(
@COMMANDS
  )
  _describe command commands
}

_iwarp() {
  local curcontext=$curcontext state line
  if ((CURRENT == 2)); then
    _iwarp_commands
    _arguments '--help[print the help]' '--version[print the version]'
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
@CASES
  esac
}

_iwarp "$@"
"""


def quoted(text):
    return "'%s'" % text.replace("'", "'\\''")


def zsh_action(option):
    actions = {"file": "_files", "interface": "_net_interfaces", "rule": "_iwarp_rules"}
    if option.values and option.kind:
        return "(%s)" % " ".join(option.values)
    return "(%s)" % " ".join(option.values) if option.values else actions.get(option.kind, "")


def zsh_option(option, flag):
    text = re.sub(r"([\[\]:\\])", r"\\\1", option.text)
    repeated = "*" if "(repeatable)" in option.text else ""
    rest = ":%s:%s" % (option.argument.replace(":", "\\:"), zsh_action(option)) if option.argument else ""
    return quoted("%s%s[%s]%s" % (repeated, flag, text, rest))


def zsh(commands):
    listed = "\n".join("    %s" % quoted("%s:%s" % (c.name, c.summary)) for c in commands)
    operands = {"file": "'*:file:_files'", "rule": "'*:rule:_iwarp_rules'", "command": "'*:command:_iwarp_commands'"}
    cases = ""
    for command in commands:
        lines = [zsh_option(option, flag) for option in command.options for flag in option.flags]
        lines += [operands[command.operand]] if command.operand else []
        cases += "    %s)\n      _arguments -S \\\n        %s\n      ;;\n" % (command.name, " \\\n        ".join(lines))
    return ZSH.replace("@COMMANDS", listed).replace("@CASES\n", cases).replace("@RULES", RULES)


# ---- fish ----

def fish(commands):
    names = " ".join(c.name for c in commands)
    lines = ["complete -c iwarp -f", "complete -c iwarp -n __fish_use_subcommand -l help -s h -d 'print the help'",
             "complete -c iwarp -n __fish_use_subcommand -l version -d 'print the version'"]
    operands = {"file": "-F", "rule": "-a '(%s)'" % RULES.replace("'", "\\'"), "command": "-a '%s'" % names}
    kinds = {"file": "-F", "interface": "-a '(ls /sys/class/net)'", "rule": operands["rule"]}
    for command in commands:
        lines.append("complete -c iwarp -n __fish_use_subcommand -a %s -d %s" % (command.name, fish_quoted(command.summary)))
        after = "complete -c iwarp -n '__fish_seen_subcommand_from %s'" % command.name
        if command.operand:
            lines.append("%s %s" % (after, operands[command.operand]))
        for option in command.options:
            flags = " ".join("-%s %s" % ("l" if flag.startswith("--") else "s", flag.lstrip("-")) for flag in option.flags)
            values = " -a '%s'" % " ".join(option.values) if option.values else ""
            kind = " " + kinds[option.kind] if option.kind else ""
            lines.append("%s %s%s%s%s -d %s" % (after, flags, " -r" if option.argument else "", values, kind, fish_quoted(option.text)))
    return HEAD + "\n".join(lines) + "\n"


def fish_quoted(text):
    return "'%s'" % text.replace("\\", "\\\\").replace("'", "\\'")


# ---- what the shells offer ----

def in_bash(path, *words):
    script = 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _iwarp; printf "%s\\n" "${COMPREPLY[@]}"'
    return run("bash", "--norc", "-c", script, path, "iwarp", *words).split("\n")[:-1]


def in_fish(path, *words):
    line = " ".join(["iwarp", *words])
    text = run("fish", "--no-config", "-c", "source %s; complete -C %s" % (path, fish_quoted(line)))
    return [row.split("\t")[0] for row in text.split("\n")[:-1]]


# Words are printed as they are offered: zsh draws no list while keys wait. `ends` is called when all were. The quotes keep the
# echo of a line from what it prints.
ZSH_ASKS = r"""
zmodload zsh/zpty
zpty -w z x 2>/dev/null
zpty z zsh -f -i
zpty -w z 'PROMPT=; unsetopt zle_bracketed_paste 2>/dev/null; stty -echo; autoload -Uz compinit; fpath=($COMPLETIONS $fpath); compinit -u -d $DUMP'
zpty -w z 'compadd() { [[ " ${@[1,(i)(-|--)]} " == *" -"[OAD]" "* ]] || { local -a words; builtin compadd -A words "$@"; print -rl -- "" $words; }; builtin compadd "$@"; }'
zpty -w z 'ends() { print end:""ready; }; comppostfuncs=(ends); bindkey "^I" list-choices; compdef _iwarp iwarp; print begin:""ready'
zpty -r z text '*begin:ready*'
zpty -w -n z "$1"$'\t'
zpty -r z text '*end:ready*'
print -r -- $text
"""


ZSH_DUMP = tempfile.TemporaryDirectory()  # what zsh finds in its own completions, once for all runs


def in_zsh(path, *words):
    line = " ".join(["iwarp", *words])
    ours = {"COMPLETIONS": os.path.dirname(path), "DUMP": os.path.join(ZSH_DUMP.name, "dump"), "TERM": "dumb", "COLUMNS": "300"}
    text = run("zsh", "-f", "-c", ZSH_ASKS, "zsh", line, env={**os.environ, **ours})
    return re.split(r"\s+", text)


def offers(ask, path, commands, tool):
    """Compares what a shell offers."""
    names = [c.name for c in commands]
    got = ask(path, "")
    assert set(names) <= set(got), "%s: commands: %s" % (path, got)
    for command in commands:
        got = ask(path, command.name, "--")
        wanted = {flag for o in command.options for flag in o.flags if flag.startswith("--")}
        assert wanted <= set(got), "%s: %s --: lacks %s of %s" % (path, command.name, wanted - set(got), got)
    assert {"text", "jsonl", "sarif"} <= set(ask(path, "check", "-T", "")), "%s: check -T" % path
    assert {"must", "never"} <= set(ask(path, "check", "--fail-on", "")), "%s: check --fail-on" % path
    rules = set(run(tool, "rules").split())
    got = [word for word in ask(path, "explain", "mpa.cr") if word in rules]
    assert got == ["mpa.crc"], "%s: explain: %s" % (path, got)


# Names that Linux permits for files and interfaces, and that a shell would run.
HOSTILE = ("$(touch ran)", "`touch ran`", ";touch ran;", "eth0")


def names_are_not_run(ask, path):
    """Names of files and interfaces are offered as they are."""
    with tempfile.TemporaryDirectory() as folder:
        net = os.path.join(folder, "net")
        os.mkdir(net)
        for name in HOSTILE:
            open(os.path.join(net, name), "xb").close()
        script = os.path.join(folder, os.path.basename(path))
        with open(path, encoding="utf-8") as stream, open(script, "x", encoding="utf-8") as out:
            out.write(stream.read().replace("/sys/class/net", net))
        before = os.getcwd()
        os.chdir(net)
        try:
            for words in (("check", "-i", ""), ("check", "")):
                got = {word.replace("\\", "") for word in ask(script, *words)}
                assert set(HOSTILE) <= got, "%s: %s: %s" % (path, words, got)
            assert set(os.listdir(net)) == set(HOSTILE), "%s: a name was run" % path
        finally:
            os.chdir(before)


def values_are_taken(tool, commands, capture):
    """Each value that is offered is one that the tool takes."""
    seen = 0
    with tempfile.TemporaryDirectory() as folder:
        for command in commands:
            operand = {"file": [capture], "rule": ["mpa.crc"]}.get(command.operand, [])
            operand = ["4d504120494420526571204672616d6540010000"] if command.name == "decode" else operand
            for option in command.options:
                for value in option.values if command.name != "scrub" else []:
                    value += os.path.join(folder, "report") if value.endswith("=") else ""
                    layer = value if option.argument == "LAYER" else None
                    done = subprocess.run([tool, command.name, option.flags[0], value, *([] if layer else operand), *([] if not layer else operand)],
                                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
                    said = done.stderr.decode()
                    assert value not in said and "Usage" not in said, "%s %s %s: %s" % (command.name, option.flags[0], value, said)
                    seen += 1
    assert seen > 50, "only %d values" % seen
    return seen


def main(tool, root, *option):
    commands = commands_of(tool)
    folder = os.path.join(root, FOLDER)
    made = {"iwarp.bash": bash(commands), "_iwarp": zsh(commands), "iwarp.fish": fish(commands)}
    for name, text in made.items():
        path = os.path.join(folder, name)
        if option == ("--update",):
            with open(path, "w", encoding="utf-8") as out:
                out.write(text)
        with open(path, encoding="utf-8") as stream:
            assert stream.read() == text, "%s: write it again by --update" % path
    seen = values_are_taken(tool, commands, os.path.join(root, "pcaps/real/siw/term-read-badkey.pcap"))
    # The completions call the tool by its name.
    os.environ["PATH"] = os.path.dirname(os.path.abspath(tool)) + os.pathsep + os.environ["PATH"]
    for shell, name, ask in (("bash", "iwarp.bash", in_bash), ("zsh", "_iwarp", in_zsh), ("fish", "iwarp.fish", in_fish)):
        if shutil.which(shell) is None:
            print("skipped: %s is not installed, so its completions are not tried" % shell)
        else:
            offers(ask, os.path.join(folder, name), commands, tool)
            if shell != "zsh":  # its own functions complete files and interfaces
                names_are_not_run(ask, os.path.join(folder, name))
    print("%d commands, %d values" % (len(commands), seen))


if __name__ == "__main__":
    main(*sys.argv[1:])
