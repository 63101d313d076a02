"""Writes the completions of bash, zsh and fish."""

from __future__ import annotations

import shlex
from typing import Callable, List, NamedTuple, Optional, Tuple


class Values(NamedTuple):
    """What a value can be: one of these words, the name of a file, or any text."""

    words: Tuple[str, ...] = ()
    files: bool = False


class Option(NamedTuple):
    """An option; `values` is None if it has no value."""

    names: Tuple[str, ...]
    help: str
    values: Optional[Values]


class Command(NamedTuple):
    """What can follow a command. The first one is the command line itself."""

    name: str
    options: List[Option]
    operand: Values
    #: The commands in it, with what they do.
    commands: List[Tuple[str, str]]


_BASH = """\
# Completions of payorder for bash, made by `payorder completions bash`.
_payorder() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local name=payorder place words="" files="" options=""
    # bash splits --option=value into three words.
    if [[ $word == "=" ]]; then
        word=""
    elif [[ $before == "=" ]]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    for ((place = 1; place < COMP_CWORD; place++)); do
        case "$name ${COMP_WORDS[place]}" in
        COMMANDS) name+=" ${COMP_WORDS[place]}" ;;
        *) break ;;
        esac
    done
    case "$name $before" in
VALUES
    *)
        case "$name" in
OPERANDS
        esac
        if [[ $word == -* || -z $words$files ]]; then
            words=$options files=""
        fi
        ;;
    esac
    local IFS=$' \\t\\n'
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    if [[ $files ]]; then
        compopt -o filenames 2>/dev/null
        IFS=$'\\n'
        COMPREPLY=($(compgen -f -- "$word"))
    fi
}
complete -F _payorder payorder
"""

_ZSH = """\
#compdef payorder
# Completions of payorder for zsh, made by `payorder completions zsh`.
_payorder() {
    local name=payorder before=${words[CURRENT - 1]} place files=""
    local -a options operands
    for ((place = 2; place < CURRENT; place++)); do
        case "$name ${words[place]}" in
        COMMANDS) name+=" ${words[place]}" ;;
        *) break ;;
        esac
    done
    if [[ ${words[CURRENT]} == --*=* ]]; then
        before=${words[CURRENT]%%=*}
        compset -P 1 '*='
    fi
    case "$name $before" in
VALUES
    *)
        case "$name" in
OPERANDS
        esac
        if [[ $PREFIX == -* || -z $operands$files ]]; then
            _describe -o option options
            return
        fi
        ;;
    esac
    if [[ $files ]]; then
        _files
    else
        _describe value operands
    fi
}
if [[ ${funcstack[1]} == _payorder ]]; then
    _payorder "$@"
else
    compdef _payorder payorder
fi
"""

_FISH = """\
# Completions of payorder for fish, made by `payorder completions fish`.
function __payorder_in
    set -l given (commandline -opc)
    test (count $given) -gt (count $argv); or return 1
    test (count $argv) -eq 0; and return 0
    set -l last (math 1 + (count $argv))
    test "$given[2..$last]" = "$argv"
end
function __payorder_at
    __payorder_in $argv; and test (count (commandline -opc)) -eq (math 1 + (count $argv))
end
complete -c payorder -f
"""


def bash(commands: List[Command]) -> str:
    """The script for bash."""

    def values(of: Values) -> str:
        return "files=1" if of.files else f"words={shlex.quote(' '.join(of.words))}"

    def operands(of: Command) -> str:
        words = of.operand.words or tuple(name for name, _ in of.commands)
        names = (name for option in of.options for name in option.names)
        what = values(Values(words, of.operand.files))
        return f"{what} options={shlex.quote(' '.join(names))}"

    return _filled(_BASH, commands, values, operands)


def zsh(commands: List[Command]) -> str:
    """The script for zsh."""

    def described(pairs: List[Tuple[str, str]]) -> str:
        return " ".join(
            shlex.quote(f"{name}:{words}" if words else name) for name, words in pairs
        )

    def values(of: Values) -> str:
        return (
            "files=1"
            if of.files
            else f"operands=({described([(word, '') for word in of.words])})"
        )

    def operands(of: Command) -> str:
        what = values(of.operand)
        if of.commands:
            what = f"operands=({described(of.commands)})"
        options = [(name, one.help) for one in of.options for name in one.names]
        return f"{what} options=({described(options)})"

    return _filled(_ZSH, commands, values, operands)


def _filled(
    template: str,
    commands: List[Command],
    values: Callable[[Values], str],
    operands: Callable[[Command], str],
) -> str:
    """A script of bash or zsh: what each option and each command can be followed by."""
    after_options: List[str] = []
    after_commands: List[str] = []
    for command in commands:
        after_commands.append(f'        "{command.name}") {operands(command)} ;;')
        for option in command.options:
            if option.values is None:
                continue
            names = " | ".join(f'"{command.name} {name}"' for name in option.names)
            # For any text, there is nothing to complete.
            nothing = option.values == Values()
            what = "return" if nothing else values(option.values)
            after_options.append(f"    {names}) {what} ;;")
    return (
        template.replace(
            "COMMANDS", " | ".join(f'"{one.name}"' for one in commands[1:])
        )
        .replace("VALUES", "\n".join(after_options))
        .replace("OPERANDS", "\n".join(after_commands))
    )


def fish(commands: List[Command]) -> str:
    """The script for fish."""
    lines: List[str] = []
    for command in commands:
        path = " ".join(command.name.split()[1:])
        for name, words in command.commands:
            lines.append(f"-n '__payorder_at {path}' -a {name} -d {_fish(words)}")
        if command.operand != Values():
            lines.append(f"-n '__payorder_in {path}' {_fish_values(command.operand)}")
        within = "at" if command.commands else "in"
        for option in command.options:
            names = " ".join(
                f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"
                for name in option.names
            )
            if option.values is not None:
                names += " -r " + _fish_values(option.values)
            lines.append(
                f"-n '__payorder_{within} {path}' {names} -d {_fish(option.help)}"
            )
    return _FISH + "".join(f"complete -c payorder {line}\n" for line in lines)


def _fish_values(values: Values) -> str:
    return "-F" if values.files else f"-f -a {_fish(' '.join(values.words))}"


def _fish(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
