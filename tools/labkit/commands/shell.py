# SPDX-License-Identifier: Apache-2.0
"""tools/lab shell: an interactive shell in a guest."""
import os
import termios

from .. import guest, java, kernelnames, packages
from ..options import GUEST_HELP, Options
from ..say import UsageError

HELP = f'''Usage: tools/lab shell [OPTION]…

Boots a kernel with the two rxe devices, and opens a root shell in the current directory. Ctrl-C and Ctrl-Z are passed to
the guest. Exit the shell to power it off. Written files are lost, except those below $LAB_RESULTS.

{GUEST_HELP}

By default there is no time limit.
'''


def run(arguments):
    settings = guest.Settings(timeout=0, interactive=True, java_options=java.IN_GUESTS)
    Options('shell', settings).parse_all(arguments)
    if not (os.isatty(0) and os.isatty(1)):
        raise UsageError('shell needs a terminal on stdin and stdout; use run for a script')
    kernelnames.check_name(settings.kernel)
    packages.ensure()
    # The machine sets the terminal to raw mode and restores it. If it is killed, another process has to restore it.
    state = termios.tcgetattr(0)
    try:
        return guest.run(settings).code
    finally:
        termios.tcsetattr(0, termios.TCSADRAIN, state)
