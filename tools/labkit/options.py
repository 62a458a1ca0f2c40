# SPDX-License-Identifier: Apache-2.0
"""Command-line options: a small parser, because argparse has other error messages and accepts abbreviations."""
import re

from . import arch
from .kernelnames import NAMES_HELP
from .say import UsageError, be_quiet

GUEST_HELP = f'''  --kernel K           {NAMES_HELP}
  --arch A             amd64, or arm64: emulated, with a kernel, programs and a JDK of Debian's for it (default: amd64)
  --timeout SECONDS    end the guest after SECONDS of wall time
  --memory MIB         memory of the guest (default: 4096, less on a small machine)
  --no-devices         create no wire and no RDMA devices
  --siw                two siw devices (software iWARP) in addition to the two rxe devices
  --without-rdma-core  hide the files of rdma-core and its tools from the guest (tcpdump needs them)
  -q, --quiet          no progress lines'''


def number(option, value):
    if not re.fullmatch(r'[1-9][0-9]{0,8}', value):
        raise UsageError(f"{option} needs a positive whole number, not '{value}'")
    return int(value)


class HelpWanted(Exception):
    """The user requested the help text of a subcommand."""


class Options:
    """The options of one subcommand by name: those with a value call a function with it, the others call a function."""

    def __init__(self, subcommand, settings=None):
        self._subcommand = subcommand
        self._flags, self._values = {}, {}
        self.flag('-h', '--help', call=_help)
        if settings:
            self.flag('-q', '--quiet', call=be_quiet)
            self.value('--kernel', lambda _, value: setattr(settings, 'kernel', value))
            self.value('--arch', lambda _, value: setattr(settings, 'arch', arch.named(value)))
            self.value('--timeout', lambda option, value: setattr(settings, 'timeout', number(option, value)))
            self.value('--memory', lambda option, value: setattr(settings, 'memory', number(option, value)))
            self.flag('--no-devices', call=lambda: setattr(settings, 'devices', False))
            self.flag('--siw', call=lambda: setattr(settings, 'siw', True))
            self.flag('--without-rdma-core', call=lambda: setattr(settings, 'hide_rdma_core', True))

    def flag(self, *names, call):
        for name in names:
            self._flags[name] = call

    def value(self, name, take):
        """Adds an option with a value. `take` is called with the option's name and the value."""
        self._values[name] = take

    def refuse(self, reason, *names):
        """Rejects options that only other subcommands support."""
        for name in names:
            def fail(*_, name=name):
                raise UsageError(reason.replace('%', name))
            self._flags.pop(name, None)
            self._values.pop(name, None)
            self._flags[name] = fail

    def parse(self, arguments, rest=False):
        """Parses arguments, and returns those that are not options; with rest, all from the first of them or after --."""
        arguments, others = list(arguments), []
        while arguments:
            word = arguments.pop(0)
            name, equals, value = word.partition('=')
            if word == '--' and rest:
                return others + arguments
            if word in self._flags:
                self._flags[word]()
            elif name in self._flags and equals and name not in self._values and name.startswith('--'):
                self._flags[name]() if self._refused(name) else self._unknown(word)
            elif name in self._values:
                if not equals:
                    if not arguments:
                        raise UsageError(f'{name} needs a value')
                    value = arguments.pop(0)
                self._values[name](name, value)
            elif word.startswith('-'):
                self._unknown(word, 'option')
            elif rest:
                return [word, *arguments]
            else:
                others.append(word)
        return others

    def _refused(self, name):
        return self._flags[name].__name__ == 'fail'

    def _unknown(self, word, kind='argument'):
        raise UsageError(f"{self._subcommand}: unknown {kind} '{word}'")

    def parse_all(self, arguments):
        """Parses arguments that must all be options."""
        for word in self.parse(arguments):
            self._unknown(word)


def _help():
    raise HelpWanted


def kernel_list(kernels):
    """Returns a handler of --kernel for subcommands with several kernels. It adds the names separated by commas, each once."""
    return lambda _, value: kernels.extend([name for name in dict.fromkeys(value.split(',')) if name not in kernels])
