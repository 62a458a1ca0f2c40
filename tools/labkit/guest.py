# SPDX-License-Identifier: Apache-2.0
"""One guest from boot to power-off: its settings, its command, and its results."""
import os
import re
import shlex
import socket
from dataclasses import dataclass, field
from pathlib import Path

from . import hiding, java, kernelnames, kernels, kerneltree, packages, places, programs, qemu, signals, siw, uml, userland, watch
from .arch import AMD64, Architecture
from .say import EXIT_LAB, LabError, UsageError, warn


@dataclass
class Settings:
    """Settings of a guest, from the options of subcommands."""

    kernel: str = kernelnames.DEFAULT
    arch: Architecture = AMD64
    memory: int = 0  # MiB; 0: as much as is available, at most 4096
    processors: int = qemu.PROCESSORS
    timeout: int = 600  # seconds of wall time from start to end; 0: no limit
    devices: bool = True  # False: no wire and no RDMA devices
    hide_rdma_core: bool = False
    siw: bool = False  # whether it has siw0 and siw1 in addition to the rxe devices
    interactive: bool = False
    wire: socket.socket | None = None  # one end of a cable to another guest, instead of the internal wire
    java_options: str = ''  # for tools/verbs in an emulated guest, unless the command has its own
    kernel_options: tuple = ()  # additional words of the kernel's command line
    mortal: bool = False  # its kernel is expected to crash, so a crash is not explained
    end: str = ''  # '0' has rxe0 and 10.9.0.1, '1' has rxe1 and 10.9.0.2
    plugin: Path | None = None  # of QEMU; it writes its findings into the results


@dataclass
class Guest:
    """A running guest. Its code is the command's exit code, or one of the lab if there is none."""

    settings: Settings
    kernel: kerneltree.Kernel
    results: Path
    root: Path = Path('/')  # the root file system: this machine's own, or programs for another processor
    memory: int = 0
    command: list = field(default_factory=list)
    extra_modules: list = field(default_factory=list)
    code: int = EXIT_LAB
    ended: str | None = None  # why the lab ended it: timeout, limit, or a signal's name
    watch: object = None  # observes it while it runs
    load: float = 0  # of this machine before the boot, if it is measured


def run(settings, command=()):
    """Boots a guest, runs the command in it (a shell when interactive), and returns the guest."""
    return boot(prepare(settings, command))


def run_to_end(settings, command, codes=(0,)):
    """Runs a guest like run(). Raises an error unless the command ends with one of these exit codes."""
    done = run(settings, command)
    if done.code not in codes:
        raise LabError(f'the guest ended with exit code {done.code}; see {places.short(done.results)}')
    return done


def boot(guest):
    """Boots a prepared guest, runs its command, and returns it. After a signal to the lab, raises SystemExit instead."""
    signals.check()
    machine = uml.Uml(guest) if guest.kernel.user_mode else qemu.Qemu(guest)
    latest = watch.watch(guest, machine)
    while again := machine.retry(latest):
        log = guest.results / 'console.log'
        kept = guest.results / f'console-{again}.log'
        log.rename(kept)
        warn(f'the kernel did not boot ({again}; its console: {places.short(kept)}); trying again')
        if machine.log.exists() and machine.log.stat().st_size:
            warn(programs.last_lines(machine.log, 3))
        latest = watch.watch(guest, machine)
    watch.judge(guest, machine, latest)
    signals.check()
    return guest


def check(settings):
    """Rejects settings that another processor does not support, before anything is fetched or built."""
    if not settings.arch.native and (settings.siw or settings.hide_rdma_core):
        raise UsageError(f'--siw and --without-rdma-core are supported on {AMD64.name} only')


def prepare(settings, command):
    check(settings)
    kernel = kernels.resolve(settings.kernel, settings.arch)
    root = Path('/') if settings.arch.native else userland.root(settings.arch)
    extra = []
    if settings.siw and not kernel.user_mode:
        extra.append(siw.module(kernel))
    if not settings.arch.native:
        packages.install(packages.missing({settings.arch.qemu: settings.arch.package}))
    guest = Guest(settings, kernel, make_results(kernelnames.cache_name(kernel.name, settings.arch)), root, settings.memory or fitting_memory(), list(command), extra)
    write_job(guest)
    return guest


def make_results(name):
    """Creates a new folder for a guest, and a link to the latest one of each kernel."""
    results = places.make_results(name)
    (results / 'job').mkdir()
    return results


def available_memory():
    match = re.search(r'^MemAvailable:\s*(\d+)', Path('/proc/meminfo').read_text(), re.M)
    return int(match[1]) // 1024


def clock_rate():
    """Returns the clock rate of this machine's processors in MHz from /proc/cpuinfo, or nothing."""
    match = re.search(r'^cpu MHz\s*:\s*([0-9.]+)', Path('/proc/cpuinfo').read_text(), re.M)
    return match[1] if match else ''


def fitting_memory(guests=1):
    # Guest memory is allocated page by page as it is used, so most of the free memory may be assigned.
    return min(4096, available_memory() * 3 // 4 // guests)


def write_job(guest):
    """Writes the guest's job into the folder job/ of its results, where the guest reads it."""
    settings, job = guest.settings, guest.results / 'job'
    rows = columns = ''
    if settings.interactive:
        size = os.get_terminal_size()
        rows, columns = size.lines or '', size.columns or ''
    values = {
        'LAB_HOME': places.LAB_HOME, 'LAB_KERNEL': guest.kernel.name, 'LAB_RESULTS': guest.results,
        'LAB_MODULES': guest.kernel.modules or '', 'LAB_JAVA_HOME': java_home(settings.arch), 'LAB_SHARED': shared(guest), 'LAB_DEVICES': flag(settings.devices),
        'LAB_END': settings.end, 'LAB_SIW': flag(settings.siw), 'LAB_INTERACTIVE': flag(settings.interactive), 'LAB_HIDE': flag(settings.hide_rdma_core),
        'LAB_TERM': (os.environ.get('TERM') or 'linux') if settings.interactive else '',
        'LAB_ROWS': rows, 'LAB_COLUMNS': columns,
        'LAB_BASH': find(guest, 'bash'), 'LAB_IP': find(guest, 'ip'), 'LAB_RDMA': find(guest, 'rdma'),
        'LAB_USER_MODE': flag(guest.kernel.user_mode), 'LAB_CPU_MHZ': clock_rate(),
    }
    (job / 'guest.env').write_text(''.join(f'{name}={shlex.quote(str(value))}\n' for name, value in values.items()))
    options = settings.java_options if emulated(guest) else ''
    (job / 'command').write_text(command_script(guest.command, os.getcwd(), guest.kernel.name, settings.interactive, options))
    if settings.hide_rdma_core:
        hiding.write_lists(job)


def emulated(guest):
    """Returns whether the guest's instructions are emulated."""
    return not guest.kernel.user_mode and not (guest.settings.arch.native and qemu.choose_accelerator()[0].startswith('kvm'))


def java_home(architecture):
    return (java.home() or '') if architecture.native else userland.java_home(architecture)


def find(guest, program):
    """Returns the path of a program in the guest."""
    return programs.find(program) if guest.settings.arch.native else f'/usr/bin/{program}'


def shared(guest):
    """Returns the machine's folders that a guest with another root file system needs, without subfolders of others."""
    if guest.settings.arch.native:
        return ''
    folders = []
    for folder in sorted({places.REPOSITORY, Path.cwd(), guest.kernel.modules}):
        if not any(folder.is_relative_to(other) for other in folders):
            folders.append(folder)
    return '\n'.join(map(str, folders))


def flag(value):
    return '1' if value else ''


def command_script(command, folder, kernel, interactive, java_options=''):
    # The kernel's own limit for the first process is 4096 open files.
    lines = ['echo $$ >/run/lab/pid', f'cd -- {shlex.quote(folder)} || exit', 'ulimit -Hn 65536']
    if java_options:
        lines.append(f'export VERBS4J_JAVA_OPTIONS={shlex.quote(java_options)}')
    if interactive:
        # Without the machine's start-up files, which take seconds under emulation.
        lines += [f"export PS1='{kernel} \\w# '", 'exec bash --noprofile --norc -i']
    else:
        lines.append('exec ' + ' '.join(shlex.quote(str(word)) for word in command))
    return '\n'.join(lines) + '\n'
