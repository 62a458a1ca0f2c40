# SPDX-License-Identifier: Apache-2.0
"""tools/lab programs: unchanged programs of other projects over RDMA, in one guest."""
from .. import guest, java, kernelnames, packages, places, valkey
from ..options import Options
from ..say import UsageError
from ..summary import Summary

DATABASES = 'databases'
TESTS = places.REPOSITORY / 'programs' / 'src' / 'test' / 'java' / 'io' / 'verbs4j' / 'programs'


def tests():
    """Returns the test class of each program, by the program's name."""
    names = sorted(file.stem for file in TESTS.glob('*Test.java'))
    return {name.removesuffix('Test').lower(): name for name in names}


HELP = f'''Usage: tools/lab programs [OPTION]… [PROGRAM]…

Runs unchanged programs of other projects (module programs) in one guest, each in a JVM with the agent of verbs4j. A program
passes if its own results are right and all its connections were RDMA. Fetches the programs from Maven Central.

  --kernel K           {kernelnames.NAMES_HELP}
  --timeout SECONDS    wall time of the guest (default: 3600)
  --memory MIB         memory of the guest
  -q, --quiet          no progress lines

Programs: {' '.join(tests())} (default: all).
'''


def run(arguments):
    settings = guest.Settings(timeout=3600)
    options = Options('programs', settings)
    options.refuse('programs needs the devices', '--no-devices')
    options.refuse('programs does not support %', '--arch', '--siw', '--without-rdma-core')
    known = tests()
    chosen = options.parse(arguments) or list(known)
    for name in chosen:
        if name not in known:
            raise UsageError(f"programs: unknown program '{name}'; programs are {' '.join(known)}")
    kernelnames.check_name(settings.kernel)
    packages.ensure_with_jdk()
    if not java.ensure_built():
        return 1
    if DATABASES in chosen:
        packages.ensure_postgres()
        valkey.ensure()
    done = guest.run(settings, [places.GUEST_FILES / 'guest-programs', *(known[name] for name in chosen)])
    summary = Summary('')
    for name in chosen:
        folder = done.results / 'junit' / known[name]
        code = folder / 'exit-code'
        summary.add_reports(name, sorted(folder.glob('TEST-*.xml')), int(code.read_text()) if code.exists() else done.code or 1)
    return summary.print()
