# SPDX-License-Identifier: Apache-2.0
"""tools/lab shell: an interactive shell in a guest."""
import os
import termios

from .. import guest, java, kernelnames, packages
from ..options import GUEST_HELP, Options
from ..say import UsageError

HELP = f'''Usage: tools/lab shell [OPTION]…

Boots a kernel with the two rxe devices and gives a root shell in it, in the current directory. Ctrl-C and Ctrl-Z go to
the guest; leave the shell to power it off. What is written vanishes, except below $LAB_RESULTS.

{GUEST_HELP}

There is no time limit unless one is given.
'''


def run(arguments):
    settings = guest.Settings(timeout=0, interactive=True, java_options=java.IN_GUESTS)
    Options('shell', settings).parse_all(arguments)
    if not (os.isatty(0) and os.isatty(1)):
        raise UsageError('shell needs a terminal on stdin and stdout; use run for a script')
    kernelnames.check_name(settings.kernel)
    packages.ensure()
    # The machine puts the terminal into raw mode and back; if it is killed, somebody else must put it back.
    state = termios.tcgetattr(0)
    try:
        return guest.run(settings).code
    finally:
        termios.tcsetattr(0, termios.TCSADRAIN, state)
