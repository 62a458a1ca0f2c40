# SPDX-License-Identifier: Apache-2.0
"""tools/lab pyverbs: compares rdma-core's Python suite with our tests of the same scenarios, in one guest."""
import dataclasses
import os
import shutil
import subprocess
from pathlib import Path

from .. import apt, guest, java, kernelnames, packages, places, programs
from ..options import Options, kernel_list
from ..say import LabError, progress
from .coverage import run_apart

HELP = f'''Usage: tools/lab pyverbs [OPTION]…

Runs the tests of rdma-core's Python suite that apply to rxe, and our tests of the same scenarios (classes Pyverbs*IT)
in one guest. Shows different outcomes, with the reason if it is known. The suite comes from Debian's source package of the
installed version, and is kept in the cache.

  --kernel K[,K]…      kernels to run on; may be repeated (default: {kernelnames.DEFAULT})
  --suite FOLDER       the folder tests/ of a source tree of rdma-core, instead of Debian's
  --update             write docs/pyverbs-scenarios.md (default kernels in that case: {' '.join(kernelnames.FETCHED)})
  --timeout SECONDS    wall time for each guest (default: 1800)
  --memory MIB         memory of the guest
  -q, --quiet          no progress lines

Exit code 1: outcomes differ without a known reason.
'''


def run(arguments):
    settings, names, suites, update = guest.Settings(timeout=1800), [], [], []
    options = Options('pyverbs', settings)
    options.value('--kernel', kernel_list(names))
    options.value('--suite', lambda _, value: suites.append(value))
    options.flag('--update', call=lambda: update.append(True))
    options.refuse('pyverbs needs the devices and rdma-core', '--no-devices', '--without-rdma-core')
    options.parse_all(arguments)
    names = names or (list(kernelnames.FETCHED) if update else [kernelnames.DEFAULT])
    for name in names:
        kernelnames.check_name(name)
    packages.ensure_with_jdk()
    suite = Path(suites[-1]) if suites else fetch_suite()
    if not os.access(suite / 'args_parser.py', os.R_OK):
        raise LabError(f'no Python suite of rdma-core in {suite}')
    suite = suite.resolve()
    if not java.ensure_built():
        return 1
    results = []
    for name in names:
        # The comparison reports our failed tests better.
        folder = run_apart(dataclasses.replace(settings, kernel=name), [places.GUEST_FILES / 'guest-pyverbs', suite])
        if not all((folder / file).exists() and (folder / file).stat().st_size for file in ('pyverbs.tsv', 'scenarios.tsv')):
            raise LabError(f'the guest left no outcomes in {places.short(folder)}')
        results.append(f'{name}={folder}')
    output = ['--output', places.REPOSITORY / 'docs' / 'pyverbs-scenarios.md'] if update else []
    return java.run_test_program('io.verbs4j.tests.pyverbs.ScenarioTable', *output, *results)


def fetch_suite():
    """Returns the tests of the rdma-core version that python3-pyverbs was built from."""
    version = programs.output('dpkg-query', '-W', '-f', '${Version}', 'python3-pyverbs')
    if not version:
        raise LabError('python3-pyverbs is not installed from a Debian package: give the suite of its version by --suite')
    upstream = version.rpartition('-')[0] or version
    final = places.cache() / 'pyverbs' / upstream
    programs.make_once(final / 'tests', places.cache() / 'pyverbs.lock',
                       "waiting for another lab that is fetching rdma-core's Python suite", lambda: _fetch(version, upstream, final))
    return final / 'tests'


def _fetch(version, upstream, final):
    progress(f"fetching rdma-core's Python suite of version {upstream}")
    incoming = final.with_name(f'{upstream}.incoming')
    shutil.rmtree(incoming, ignore_errors=True)
    incoming.mkdir(parents=True)
    try:
        apt.PrivateApt(apt.os_release('VERSION_CODENAME'), 'deb-src').download_source(f'rdma-core={version}', incoming)
    except LabError as e:
        raise LabError(f'{e}\nIf you have network access, get it from its origin:\n'
                       f'    git clone --depth 1 --branch v{upstream} https://github.com/linux-rdma/rdma-core FOLDER\n'
                       '    tools/lab pyverbs --suite FOLDER/tests') from e
    [archive] = incoming.glob('rdma-core_*.orig.tar.*')
    subprocess.run(['tar', '-xf', archive, '-C', incoming, '--strip-components=1', '--wildcards',
                    '--no-wildcards-match-slash', '*/tests'], check=True)
    for file in (*incoming.glob('rdma-core_*'), incoming / 'apt.log'):
        file.unlink(missing_ok=True)
    incoming.rename(final)
