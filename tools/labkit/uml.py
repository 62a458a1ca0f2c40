# SPDX-License-Identifier: Apache-2.0
"""User-mode Linux: the guest's kernel is an ordinary program, and programs in the guest run at native speed."""
import os

from . import places, programs
from .qemu import Process, launch


class Uml:
    description = 'user-mode Linux'
    start_limit = None

    def __init__(self, guest):
        self.guest = guest
        self.log = guest.results / 'uml.log'

    def retry(self, boot):
        return None

    def start(self):
        # Consoles: one for the kernel, one for the command's output, and one for signals (or one for the shell).
        console, console_end = os.pipe()
        passed, outputs, control = [console_end], {}, None
        consoles = ['con=null', f'con0=null,fd:{console_end}']
        if self.guest.settings.interactive:
            consoles.append('con1=fd:0,fd:1')
        else:
            for number, name in ((1, 'out'), (2, 'err')):
                outputs[name], end = os.pipe()
                passed.append(end)
                consoles.append(f'con{number}=null,fd:{end}')
            end, control = os.pipe()
            passed.append(end)
            consoles.append(f'con3=fd:{end},null')
        try:
            popen = launch([str(self.guest.kernel.image), *self._options(), *consoles, *self._init()], passed, self.log,
                           self.guest.settings.interactive)
        finally:
            for end in passed:
                os.close(end)
        return Process(popen, console, outputs, control)

    def _options(self):
        return [
            f'mem={self.guest.memory}M', f'ncpus={self.guest.settings.processors}',
            # Several processors are supported with seccomp only, not with ptrace.
            'seccomp=on',
            'rootfstype=hostfs', 'rootflags=/', 'ro', 'loglevel=5', 'panic=-1',
            # A built-in driver would create a device that a module does not create.
            'dummy.numdummies=0',
            # The file of the management console, which would otherwise be created in the home folder.
            f'uml_dir={places.scratch()}/', *self.guest.settings.kernel_options,
        ]

    def _init(self):
        # All consoles are set in one line, in which quotes keep a path together.
        busybox = programs.find('busybox')
        return [f'LAB_RESULTS="{self.guest.results}"', f'LAB_BUSYBOX={busybox}', f'init={busybox}', '--', 'sh',
                f'"{places.GUEST_FILES}/guest-init-uml"']

    def explain(self):
        """Returns user-mode Linux's messages about its end."""
        return ('messages of user-mode Linux:', programs.last_lines(self.log, 5)) if self.log.stat().st_size else ()
