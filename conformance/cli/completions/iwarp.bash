# SPDX-License-Identifier: BSD-2-Clause
# Made by conformance/tests/golden/completions.py --update from `iwarp --help`.

# _iwarp_flags COMMAND prints its options.
_iwarp_flags() {
  case $1 in
    check) echo -i --duration -w -f -d -T -c -V -x -q -v -n -t --only --exclude --level --fail-on --fail-on-suspected --fail-on-outcome --max-findings --require-decided --report --annotate --profile --baseline --markers --crc --memory --max-unpacked --jobs --shard --captures --join --conn --color --progress --no-sandbox -h --help --version ;;
    dump) echo -i --duration -w -f -d -T -c -V -x -q -v -n -t --markers --crc --memory --max-unpacked --join --conn --progress --no-sandbox -h --help --version ;;
    timeline) echo -i --duration -w -f -d -c -n -t --only --exclude --level --markers --crc --memory --max-unpacked --join --conn --color --progress --no-sandbox -h --help --version ;;
    baseline) echo -f -d -c -n --only --exclude --markers --crc --memory --max-unpacked --join --conn --progress --no-sandbox -h --help --version ;;
    decode) echo -T --layer --offset --no-sandbox -h --help --version ;;
    rules) echo -T --diagnoses -h --help --version ;;
    explain) echo --color -h --help --version ;;
    coverage) echo -T -h --help --version ;;
    gen) echo -o --variant --no-sandbox -h --help --version ;;
    merge) echo --no-sandbox -h --help --version ;;
    scrub) echo -f -d -c --markers --crc --memory --max-unpacked -o --keep-private-data --key --no-sandbox -h --help --version ;;
    stats) echo -i --duration -w -f -d -T -c -n --markers --crc --memory --max-unpacked --join --conn --interval --metrics --metrics-label --progress --no-sandbox -h --help --version ;;
    probe) echo -w --ping --timeout -T --no-sandbox -h --help --version ;;
    peer) echo -w -i --run --restart --ulp --only --exclude --level --fail-on -T --report --baseline --profile --list --danger --timeout --no-sandbox -h --help --version ;;
    help) echo -h --help --version ;;
  esac
}

# _iwarp_values COMMAND OPTION prints the values of an option, or the kind of its argument as @KIND.
_iwarp_values() {
  case "$1 $2" in
    'check -i') echo @interface ;;
    'check --duration') echo @none ;;
    'check -w') echo @file ;;
    'check -f') echo @none ;;
    'check -d') echo @none ;;
    'check -T') echo text jsonl timeline junit sarif tap tap13 html ;;
    'check -c') echo @none ;;
    'check -t') echo a r d ;;
    'check --only') echo @rule ;;
    'check --exclude') echo @rule ;;
    'check --level') echo must should note ;;
    'check --fail-on') echo must should note never ;;
    'check --fail-on-outcome') echo @none ;;
    'check --max-findings') echo @none ;;
    'check --report') echo text= jsonl= timeline= junit= sarif= tap= tap13= html= ;;
    'check --annotate') echo @file ;;
    'check --profile') echo siw @file ;;
    'check --baseline') echo @file ;;
    'check --markers') echo on off ;;
    'check --crc') echo on off ;;
    'check --memory') echo @none ;;
    'check --max-unpacked') echo @none ;;
    'check --jobs') echo @none ;;
    'check --shard') echo @none ;;
    'check --captures') echo @none ;;
    'check --conn') echo @none ;;
    'check --color') echo auto always never ;;
    'check --progress') echo auto always never ;;
    'dump -i') echo @interface ;;
    'dump --duration') echo @none ;;
    'dump -w') echo @file ;;
    'dump -f') echo @none ;;
    'dump -d') echo @none ;;
    'dump -T') echo text jsonl ;;
    'dump -c') echo @none ;;
    'dump -t') echo a r d ;;
    'dump --markers') echo on off ;;
    'dump --crc') echo on off ;;
    'dump --memory') echo @none ;;
    'dump --max-unpacked') echo @none ;;
    'dump --conn') echo @none ;;
    'dump --progress') echo auto always never ;;
    'timeline -i') echo @interface ;;
    'timeline --duration') echo @none ;;
    'timeline -w') echo @file ;;
    'timeline -f') echo @none ;;
    'timeline -d') echo @none ;;
    'timeline -c') echo @none ;;
    'timeline -t') echo a r d ;;
    'timeline --only') echo @rule ;;
    'timeline --exclude') echo @rule ;;
    'timeline --level') echo must should note ;;
    'timeline --markers') echo on off ;;
    'timeline --crc') echo on off ;;
    'timeline --memory') echo @none ;;
    'timeline --max-unpacked') echo @none ;;
    'timeline --conn') echo @none ;;
    'timeline --color') echo auto always never ;;
    'timeline --progress') echo auto always never ;;
    'baseline -f') echo @none ;;
    'baseline -d') echo @none ;;
    'baseline -c') echo @none ;;
    'baseline --only') echo @rule ;;
    'baseline --exclude') echo @rule ;;
    'baseline --markers') echo on off ;;
    'baseline --crc') echo on off ;;
    'baseline --memory') echo @none ;;
    'baseline --max-unpacked') echo @none ;;
    'baseline --conn') echo @none ;;
    'baseline --progress') echo auto always never ;;
    'decode -T') echo text jsonl ;;
    'decode --layer') echo mpa ddp rdmap sctp-segment ;;
    'decode --offset') echo @none ;;
    'rules -T') echo text jsonl ;;
    'explain --color') echo auto always never ;;
    'coverage -T') echo text jsonl ;;
    'gen -o') echo @file ;;
    'gen --variant') echo @none ;;
    'scrub -f') echo @none ;;
    'scrub -d') echo @none ;;
    'scrub -c') echo @none ;;
    'scrub --markers') echo on off ;;
    'scrub --crc') echo on off ;;
    'scrub --memory') echo @none ;;
    'scrub --max-unpacked') echo @none ;;
    'scrub -o') echo @file ;;
    'scrub --key') echo @file ;;
    'stats -i') echo @interface ;;
    'stats --duration') echo @none ;;
    'stats -w') echo @file ;;
    'stats -f') echo @none ;;
    'stats -d') echo @none ;;
    'stats -T') echo text jsonl csv html ;;
    'stats -c') echo @none ;;
    'stats --markers') echo on off ;;
    'stats --crc') echo on off ;;
    'stats --memory') echo @none ;;
    'stats --max-unpacked') echo @none ;;
    'stats --conn') echo @none ;;
    'stats --interval') echo @none ;;
    'stats --metrics') echo @file ;;
    'stats --metrics-label') echo @none ;;
    'stats --progress') echo auto always never ;;
    'probe -w') echo @file ;;
    'probe --ping') echo @none ;;
    'probe --timeout') echo @none ;;
    'probe -T') echo text jsonl ;;
    'peer -w') echo @none ;;
    'peer -i') echo @interface ;;
    'peer --run') echo @none ;;
    'peer --restart') echo @none ;;
    'peer --ulp') echo @none ;;
    'peer --only') echo @rule ;;
    'peer --exclude') echo @rule ;;
    'peer --level') echo must should note ;;
    'peer --fail-on') echo must should note never ;;
    'peer -T') echo text jsonl junit tap html baseline ;;
    'peer --report') echo text= jsonl= timeline= junit= sarif= tap= tap13= html= ;;
    'peer --baseline') echo @file ;;
    'peer --profile') echo siw @file ;;
    'peer --timeout') echo @none ;;
  esac
}

# _iwarp_operand COMMAND prints the kind of its operands.
_iwarp_operand() {
  case $1 in
    check) echo @file ;;
    dump) echo @file ;;
    timeline) echo @file ;;
    baseline) echo @file ;;
    rules) echo @rule ;;
    explain) echo @rule ;;
    gen) echo @file ;;
    merge) echo @file ;;
    scrub) echo @file ;;
    stats) echo @file ;;
    help) echo @command ;;
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
      @rule) COMPREPLY+=($(compgen -W "$(iwarp rules 2>/dev/null | cut -d ' ' -f 1)" -- "$cur")) ;;
      @command) COMPREPLY+=($(compgen -W 'check dump timeline baseline decode rules explain coverage gen merge scrub stats probe peer help' -- "$cur")) ;;
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
