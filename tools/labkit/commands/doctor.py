# SPDX-License-Identifier: Apache-2.0
"""tools/lab doctor: checks this machine, and lists missing prerequisites with remedies."""
import os
import re
from pathlib import Path

from .. import apt, guest, java, kernelnames, kernels, kerneltree, packages, programs, qemu, umlbuild
from ..options import Options
from ..say import LabError, plain

COMPILING = 'tools/lab test, some comparisons, --siw and --kernel uml'

HELP = f'''Usage: tools/lab doctor

Checks this machine without changing it. Exit code 0: the lab can run here; 1: a prerequisite is missing (MISSING). A dash marks
what only some commands need: {COMPILING} need compilers.
'''


class Report:
    missing = False

    def finding(self, state, what, detail):
        plain(f'{state:<8} {what:<18} {detail}')
        self.missing = self.missing or state == 'MISSING'


def run(arguments):
    Options('doctor').parse_all(arguments)
    report = Report()
    _machine(report)
    missing, compilers = _programs(report)
    _java(report)
    _kernels(report)
    if missing:
        plain('\nInstall the missing packages (as root, each subcommand does this itself):')
        plain(f"    sudo apt-get install --no-install-recommends {' '.join(missing)}")
    if compilers:
        plain(f'\nFor {COMPILING}, also install:')
        plain(f"    sudo apt-get install --no-install-recommends {' '.join(compilers)}")
    if report.missing:
        return 1
    plain('\nThe lab can run here: tools/lab run -- rdma link')
    return 0


def _machine(report):
    machine = os.uname().machine
    report.finding('ok', 'machine', f"{apt.os_release('PRETTY_NAME') or 'unknown distribution'}, {machine}, "
                   f'{len(os.sched_getaffinity(0))} CPUs, {guest.available_memory()} MiB of memory available')
    if machine != 'x86_64':
        report.finding('MISSING', 'processor', 'the lab boots x86-64 kernels only')
    report.finding('ok', 'accelerator', ': '.join(qemu.choose_accelerator()))


def _programs(report):
    required = packages.CORE | packages.PEERS | packages.build()
    for program, package in required.items():
        where = programs.find(program)
        if program == 'busybox' and where and not packages.static_busybox():
            report.finding('MISSING', program, f'{where} is not statically linked (package {package})')
        elif program == 'qemu-system-x86_64' and where:
            version = re.search(r'version (\S+)', programs.output(where, '--version'))
            report.finding('ok', program, f"{where}, {version[1] if version else 'unknown version'}")
        elif packages.have(program):
            report.finding('ok', program, where or 'in the folder of udev')
        else:
            report.finding('MISSING', program, f'package {package}')
    missing = packages.unique(packages.missing(packages.CORE | packages.build()) + packages.missing_peers())
    for package in packages.PEER_PACKAGES:
        if package in missing:
            report.finding('MISSING', package, f'package {package}')
    compilers = [package for package in packages.missing_compilers() if package not in missing]
    for package in compilers:
        report.finding('-', package, f'only for {COMPILING}')
    return missing, compilers


def _java(report):
    home = java.home()
    if home:
        version = re.search(r'^JAVA_VERSION="(.*)"', Path(home, 'release').read_text(), re.M)
        report.finding('ok', 'JDK 25', f"{home} ({version[1] if version else ''})")
    else:
        report.finding('MISSING', 'JDK 25', 'needed for building, and for Java in the guest:')
        for line in java.explain_missing().splitlines():
            plain(f'         {line}')


def _kernels(report):
    for name in kernelnames.FETCHED:
        *older, newest = kerneltree.cached(name) or [None]
        for folder in older:
            report.finding('ok', f'kernel {name}', f'{folder.name} is cached, too (older, not used)')
        if newest:
            report.finding('ok', f'kernel {name}', f'{newest.name} in {newest}')
        elif apt.available():
            report.finding('-', f'kernel {name}', f'not cached; fetched on first use, or by: tools/lab fetch {name}')
        else:
            report.finding('-', f'kernel {name}', 'not cached, and cannot be fetched without apt-get')
    built = umlbuild.cached()
    report.finding('ok' if built else '-', 'kernel uml', f'{built[-1].name} in {built[-1]}' if built else
                   'not built; built on first use, or by: tools/lab fetch uml')
    try:
        kernels.resolve('host')
        report.finding('ok', 'kernel host', f'{os.uname().release} can be booted with --kernel host')
    except LabError as e:
        report.finding('-', 'kernel host', str(e))
