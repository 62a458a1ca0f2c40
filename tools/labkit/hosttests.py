# SPDX-License-Identifier: Apache-2.0
"""The tests without a device: those run by Maven, and those of other tools."""
import re
import shutil
import subprocess
import time

from . import java, junit, places, programs
from .say import channel, progress

REPOSITORY = places.REPOSITORY


def run(summary, pattern, long):
    """Runs the tests, and adds them to the summary."""
    arguments = ['-Pstress', 'verify']
    # The summary lists tests that pass when run again.
    retries = [] if pattern or long else ['-Dsurefire.rerunFailingTestsCount=1']
    if pattern:
        # Naming tests overrides Surefire's exclusion of the device tests, which have no device here.
        name, hash_, method = pattern.partition('#')
        method = f'#*{method}*' if hash_ else ''
        arguments += [f'-Dtest=*{name}*{method},!*IT,!*IT$*', '-Dsurefire.failIfNoSpecifiedTests=false']
    # Another lab must neither remove these reports nor build into the same folders (ensure_built of tools/lib/build.sh).
    with programs.locked(REPOSITORY / 'target' / '.build-lock', 'waiting for another build'):
        # Reports of earlier runs must not be counted.
        for folder in REPOSITORY.glob('*/target/surefire-reports'):
            shutil.rmtree(folder)
        # A failed test does not stop the build: the other modules are still tested, and the guests' jars are created.
        if not java.run_maven(REPOSITORY / 'target' / 'host-tests.log', '-Dmaven.test.failure.ignore=true', *retries, *arguments):
            broken = junit.Failure('', 'the build failed, see target/host-tests.log')
            summary.add('host', junit.Sum(failed=1, failures=[broken]))
            return
        _add_reports(summary, REPOSITORY, bool(pattern))
    if pattern:
        return  # only other tests were selected
    _tool(summary, 'lab', ['python3', '-B', '-m', 'unittest', 'discover', '-t', places.LAB_HOME, '-s', places.LAB_HOME / 'labkit' / 'tests'])
    _tool(summary, 'oracle', ['tools/abi-oracle/compare.sh'])
    if long:
        _tool(summary, 'stress', ['tools/stress', '--built', '--long', str((long + 3) // 4)])
        _tool(summary, 'fuzz', ['tools/fuzz', '--minutes', str((long + 3) // 4)])
        _tool(summary, 'mutations', ['tools/mutations'])
        _tool(summary, 'litmus', ['tools/litmus'])
    else:
        _tool(summary, 'stress', ['tools/stress', '--built', '--brief'])


def _add_reports(summary, repository, some_only):
    """Adds the tests of all modules. Those on simulated devices run once per kernel, and their reports are in subfolders."""
    summary.add_reports('host', sorted(repository.glob('*/target/surefire-reports/TEST-*.xml')))
    for folder in sorted(repository.glob('tests/target/surefire-reports/*/')):
        reports = sorted(folder.glob('TEST-*.xml'))
        if reports or not some_only:
            summary.add_reports(folder.name, reports)


def _tool(summary, name, command):
    """Runs one of the other tools, which report their progress."""
    log = REPOSITORY / 'target' / f'{name}.log'
    progress(f"running {' '.join(str(word).removeprefix(f'{REPOSITORY}/') for word in command)} (log: {places.short(log)})")
    started, lines = time.monotonic(), []
    with open(log, 'wb') as file, programs.running(command, cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        for line in process.stdout:
            file.write(line)
            channel().out(line)
            lines = [*lines[-5:], line.decode(errors='replace').strip()]
    passed, failed = counts(lines)
    sums = junit.Sum(passed, failed, seconds=time.monotonic() - started)
    if process.returncode != 0 or failed or not passed:
        sums.failed = max(failed, 1)
        why = f'it ended with exit code {process.returncode}, see {places.short(log)}'
        sums.failures.append(junit.Failure('', why))
    summary.add(name, sums)


def counts(lines):
    """Returns the numbers of passed and failed tests from the last lines of a tool."""
    text = '\n'.join(lines)
    if match := re.search(r'(\d+) passed, (\d+) failed$', text):
        return int(match[1]), int(match[2])
    if match := re.search(r'^(\d+) mutations, (\d+) survived$', lines[-1] if lines else ''):
        return int(match[1]) - int(match[2]), int(match[2])
    # Python's unittest: "Ran 12 tests in 0.1s", then "OK" or "FAILED (failures=1, errors=2)".
    if match := re.search(r'^Ran (\d+) tests?', text, re.M):
        failed = sum(map(int, re.findall(r'(?:failures|errors)=(\d+)', lines[-1])))
        return int(match[1]) - failed, failed
    return 0, 0
