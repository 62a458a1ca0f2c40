# SPDX-License-Identifier: Apache-2.0
"""QEMU: a virtual machine without disk and network card. Its root file system is the machine's own."""
import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from . import bootimage, places, programs
from .arch import AMD64
from .say import LabError

# For two polling programs. rxe's own work runs on the same processors.
PROCESSORS = 2
BOOT_LIMIT_KVM = 20  # seconds; a kernel under KVM that has not reached its init by then never will


def choose_accelerator():
    """Returns kvm or tcg, and the reason. VERBS4J_LAB_ACCELERATOR overrides it, with QEMU's properties: tcg,thread=single."""
    requested = os.environ.get('VERBS4J_LAB_ACCELERATOR')
    if requested:
        if requested.partition(',')[0] not in ('kvm', 'tcg'):
            raise LabError(f"VERBS4J_LAB_ACCELERATOR is '{requested}', not kvm or tcg")
        return requested, 'set by VERBS4J_LAB_ACCELERATOR'
    if not os.path.exists('/dev/kvm'):
        return 'tcg', 'there is no /dev/kvm'
    try:
        os.close(os.open('/dev/kvm', os.O_RDWR))
    except OSError:
        return 'tcg', '/dev/kvm cannot be opened for reading and writing (group kvm?)'
    # Some virtual machines have a /dev/kvm that accepts all calls, but then hangs at boot.
    if re.search(r'\b(vmx|svm)\b', Path('/proc/cpuinfo').read_text()):
        return 'kvm', '/dev/kvm opens, and the CPU has vmx or svm'
    return 'tcg', '/dev/kvm opens, but the CPU has neither vmx nor svm, so it may fail to boot a kernel'


def require_plugins():
    """Rejects a QEMU with another plugin interface than ours (tests/src/bench/c/count.c)."""
    if choose_accelerator()[0] == 'kvm':
        raise LabError('instructions can be counted only under emulation: set VERBS4J_LAB_ACCELERATOR=tcg')
    text = subprocess.run([AMD64.qemu, '--version'], capture_output=True, text=True, check=True).stdout
    version = tuple(map(int, re.search(r'version (\d+)\.(\d+)', text).groups()))
    if not (4, 2) <= version <= (8, 1):
        raise LabError(f'the plugin that counts instructions needs QEMU 4.2 to 8.1; {AMD64.qemu} is {version[0]}.{version[1]}')


@dataclass
class Process:
    """A started machine: its process, and the lab's ends of its channels."""

    popen: subprocess.Popen
    console: int  # kernel messages and guest-main's reports; ends with the machine
    outputs: dict  # 'out' and 'err' of the command: descriptors to read
    control: int | None  # receives signal names for the command


def launch(command, passed, log, interactive):
    """Starts a machine in a separate session, so that it does not receive the terminal's Ctrl-C."""
    # Ends the machine with the lab, even if the lab is killed.
    if subprocess.run(['setpriv', '--pdeathsig', 'TERM', 'true'], stderr=subprocess.DEVNULL, check=False).returncode == 0:
        command = ['setpriv', '--pdeathsig', 'TERM', *command]
    with open(log, 'wb') as file:
        return subprocess.Popen(command, stdin=None if interactive else subprocess.DEVNULL,
                                stdout=None if interactive else file, stderr=file, pass_fds=passed, start_new_session=True)


class Qemu:
    def __init__(self, guest):
        self.guest = guest
        self.arch = guest.kernel.arch
        self.accelerator = choose_accelerator()[0] if self.arch.native else 'tcg'
        self.image = bootimage.prepare(guest.kernel, guest.extra_modules, network=bool(guest.settings.wire))
        unpacked = self.image.unpacked
        self.boot_kernel = unpacked if unpacked.stat().st_size else guest.kernel.image
        self.log = guest.results / 'qemu.log'
        self._panicked = False

    @property
    def description(self):
        return f'QEMU ({self.accelerator})' if self.arch.native else f'QEMU ({self.arch.name}, {self.accelerator})'

    @property
    def start_limit(self):
        """Timeout in seconds for the kernel to reach its init, if it is shorter than that for starting the command."""
        return BOOT_LIMIT_KVM if self.accelerator == 'kvm' else None

    def retry(self, boot):
        """Returns the reason for booting the guest again, and changes the method; None if all methods were tried."""
        if boot.did_not_start and self.accelerator == 'kvm':
            # KVM exists, but cannot boot a kernel.
            self.accelerator = 'tcg'
            return 'KVM'
        if boot.did_not_start and self.boot_kernel != self.guest.kernel.image and not self.guest.ended:
            # This QEMU does not support an unpacked kernel.
            self.boot_kernel = self.guest.kernel.image
            return 'unpacked'
        # A kernel patches its own code while it boots, and emulation of several processors can see partial changes.
        if boot.stage == 'panic' and not boot.was_ready and not self.guest.ended and not self._panicked:
            self._panicked = True
            return 'panic'
        return None

    def start(self):
        pipes = places.scratch()
        console, console_end = os.pipe()
        options = [*self._options(), '-add-fd', f'fd={console_end},set=7',
                   # The serial port is for the kernel only. /dev/fdset names an inherited descriptor.
                   '-chardev', 'file,id=console,path=/dev/fdset/7,append=on', '-serial', 'chardev:console',
                   '-device', 'virtio-serial-pci']
        passed, outputs, control = [console_end], {}, None
        if self.guest.settings.interactive:
            # signal=off: Ctrl-C is passed to the guest as a character.
            options += ['-chardev', 'stdio,id=tty,signal=off', '-device', 'virtconsole,chardev=tty']
        else:
            for number, name in ((8, 'out'), (9, 'err')):
                # Ports are not terminals: the command's output is passed through byte by byte.
                outputs[name], end = os.pipe()
                passed.append(end)
                options += ['-add-fd', f'fd={end},set={number}',
                            '-chardev', f'file,id={name},path=/dev/fdset/{number},append=on',
                            '-device', f'virtserialport,chardev={name},name=lab.{name}']
            for name in ('in', 'out'):
                os.mkfifo(pipes / f'control.{name}')
            control = os.open(pipes / 'control.in', os.O_RDWR)
            options += ['-chardev', f'pipe,id=control,path={pipes}/control', '-device', 'virtserialport,chardev=control,name=lab.control']
        given = []
        if wire := self.guest.settings.wire:
            # No boot ROM, because the machine does not boot from it.
            options += ['-netdev', f'socket,id=wire,fd={wire.fileno()}',
                        '-device', f'virtio-net-pci,netdev=wire,romfile=,mac=52:54:00:09:00:0{int(self.guest.settings.end) + 1}']
            given.append(wire.fileno())
        try:
            popen = launch([self.arch.qemu, *options], passed + given, self.log, self.guest.settings.interactive)
        finally:
            for end in passed:
                os.close(end)
        return Process(popen, console, outputs, control)

    def _options(self):
        results = str(self.guest.results).replace(',', ',,')
        options = [
            '-nodefaults', '-no-user-config', '-display', 'none', '-no-reboot', '-nic', 'none',
            '-machine', self.arch.board, '-accel', self.accelerator, '-smp', str(self.guest.settings.processors), '-m', str(self.guest.memory),
            '-kernel', str(self.boot_kernel), '-initrd', str(self.image.initrd), '-append', self._command_line(),
            # multidevs=remap: the machine's root may span file systems with equal inode numbers.
            '-virtfs', f'local,path={self.guest.root},mount_tag=root,security_model=none,readonly=on,multidevs=remap',
            '-virtfs', f'local,path={results},mount_tag=results,security_model=none,multidevs=remap',
        ]
        if self.guest.settings.plugin:
            options += ['-plugin', f'{self.guest.settings.plugin},folder={results}']
        if not self.arch.native:
            options += ['-virtfs', 'local,path=/,mount_tag=machine,security_model=none,readonly=on,multidevs=remap']
        return options + ['-cpu', 'host' if self.accelerator == 'kvm' else self.arch.processor]

    def _command_line(self):
        return ' '.join((f'console={self.arch.console}', *COMMAND_LINE, *(COMMAND_LINE_X86 if self.arch.native else ()),
                         *self.guest.settings.kernel_options))

    def explain(self):
        """Returns QEMU's messages about its end."""
        return ('QEMU says:', programs.last_lines(self.log, 5)) if self.log.stat().st_size else ()


COMMAND_LINE = (
    # loglevel=5: warnings and worse, because a serial line is slow under emulation. dmesg.txt contains all messages.
    'loglevel=5',
    # With -no-reboot, a kernel panic ends QEMU.
    'panic=-1',
    # A temporary guest needs neither, and both cost time.
    'mitigations=off', 'nokaslr',
    # All processes have the C library and the JVM at the same addresses, so that the emulator's translations are reused.
    'norandmaps',
    'random.trust_cpu=on',
    # Memory reserved for contiguous allocations must be migrated before it can be pinned, and huge pages into new ones.
    'cma=0',
)
COMMAND_LINE_X86 = (
    # On a busy machine the emulated timers are late. The kernel must not conclude that the timer is broken (and panic), or that
    # the TSC is (and use a clock that traps at each reading).
    'no_timer_check', 'tsc=reliable',
)
