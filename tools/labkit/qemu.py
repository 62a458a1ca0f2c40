# SPDX-License-Identifier: Apache-2.0
"""QEMU: a virtual machine without disk and network card, whose root file system is the machine's own."""
import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from . import bootimage, places, programs
from .arch import AMD64
from .say import LabError

# For two programs that poll; rxe's own work finds its place.
PROCESSORS = 2
BOOT_LIMIT_KVM = 20  # seconds; a kernel under KVM that has not reached its init by then never will


def choose_accelerator():
    """Returns kvm or tcg, and why. VERBS4J_LAB_ACCELERATOR overrides, with properties of it that QEMU knows: tcg,thread=single."""
    wish = os.environ.get('VERBS4J_LAB_ACCELERATOR')
    if wish:
        if wish.partition(',')[0] not in ('kvm', 'tcg'):
            raise LabError(f"VERBS4J_LAB_ACCELERATOR is '{wish}', not kvm or tcg")
        return wish, 'VERBS4J_LAB_ACCELERATOR says so'
    if not os.path.exists('/dev/kvm'):
        return 'tcg', 'there is no /dev/kvm'
    try:
        os.close(os.open('/dev/kvm', os.O_RDWR))
    except OSError:
        return 'tcg', '/dev/kvm cannot be opened for reading and writing (group kvm?)'
    # Some virtual machines have a /dev/kvm that accepts every call and then hangs a stock kernel at boot.
    if re.search(r'\b(vmx|svm)\b', Path('/proc/cpuinfo').read_text()):
        return 'kvm', '/dev/kvm opens, and the CPU has vmx or svm'
    return 'tcg', '/dev/kvm opens, but the CPU shows neither vmx nor svm, so it cannot be trusted to boot a kernel'


def require_plugins():
    """Refuses a QEMU whose plugins have another interface than ours (tests/src/bench/c/count.c)."""
    if choose_accelerator()[0] == 'kvm':
        raise LabError('instructions are counted by emulation alone: set VERBS4J_LAB_ACCELERATOR=tcg')
    text = subprocess.run([AMD64.qemu, '--version'], capture_output=True, text=True, check=True).stdout
    version = tuple(map(int, re.search(r'version (\d+)\.(\d+)', text).groups()))
    if not (4, 2) <= version <= (8, 1):
        raise LabError(f'instructions are counted by a plugin for QEMU 4.2 to 8.1; {AMD64.qemu} is {version[0]}.{version[1]}')


@dataclass
class Process:
    """A started machine: its process, and our ends of what comes out of it and goes in."""

    popen: subprocess.Popen
    console: int  # kernel messages, and guest-main's own reports; ends when the machine does
    outputs: dict  # 'out' and 'err' of the command: descriptors to read
    control: int | None  # takes signal names for the command


def launch(command, passed, log, interactive):
    """Starts a machine in a session of its own, which keeps the terminal's Ctrl-C away from it."""
    # It dies with us even if we are killed.
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
        """Seconds until the kernel reaches its init, when that is less than for everything until the command."""
        return BOOT_LIMIT_KVM if self.accelerator == 'kvm' else None

    def retry(self, boot):
        """Returns why the guest is to be booted again, and changes how; None when there is nothing more to try."""
        if boot.did_not_start and self.accelerator == 'kvm':
            # KVM that exists and cannot boot a kernel.
            self.accelerator = 'tcg'
            return 'KVM'
        if boot.did_not_start and self.boot_kernel != self.guest.kernel.image and not self.guest.ended:
            # An unpacked kernel that this QEMU does not take.
            self.boot_kernel = self.guest.kernel.image
            return 'unpacked'
        # A kernel replaces its own code while it boots, and emulation with several processors can see that half done.
        if boot.stage == 'panic' and not boot.was_ready and not self.guest.ended and not self._panicked:
            self._panicked = True
            return 'panic'
        return None

    def start(self):
        pipes = places.scratch()
        console, console_end = os.pipe()
        options = [*self._options(), '-add-fd', f'fd={console_end},set=7',
                   # The serial port is the kernel's alone. /dev/fdset names a descriptor that we hand over.
                   '-chardev', 'file,id=console,path=/dev/fdset/7,append=on', '-serial', 'chardev:console',
                   '-device', 'virtio-serial-pci']
        passed, outputs, control = [console_end], {}, None
        if self.guest.settings.interactive:
            # signal=off: Ctrl-C is a character for the guest.
            options += ['-chardev', 'stdio,id=tty,signal=off', '-device', 'virtconsole,chardev=tty']
        else:
            for number, name in ((8, 'out'), (9, 'err')):
                # Ports are not terminals: what the command writes comes out byte by byte as it is.
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
            # No boot ROM: nothing is booted from there.
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
            # multidevs=remap: the machine's root may span file systems, whose inode numbers would otherwise collide.
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
        """Returns what QEMU says about its end."""
        return ('QEMU says:', programs.last_lines(self.log, 5)) if self.log.stat().st_size else ()


COMMAND_LINE = (
    # loglevel=5: warnings and worse. A serial line under emulation is slow, and dmesg.txt will have the rest.
    'loglevel=5',
    # With -no-reboot, a kernel panic ends QEMU.
    'panic=-1',
    # Neither serves a throw-away guest, both cost time.
    'mitigations=off', 'nokaslr',
    # Every process finds the C library and the JVM at the same addresses, so that what the emulation has translated for
    # one serves the next.
    'norandmaps',
    'random.trust_cpu=on',
    # Memory kept for devices that need it in one piece must be left before it can be pinned, huge pages into new ones.
    'cma=0',
)
COMMAND_LINE_X86 = (
    # On a busy machine the emulated timers come late; the kernel must not conclude that the timer is broken (and panic),
    # or that the TSC is (and take a clock that costs a trap for each reading).
    'no_timer_check', 'tsc=reliable',
)
