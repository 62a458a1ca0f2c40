# SPDX-License-Identifier: Apache-2.0
"""The tests that the default run leaves out. The device tests declare their needs (`Needs`)."""
import subprocess

from . import java, places

LONG, ONE, NONE = 'long-run', 'one-kernel', 'no-kernel'


def report(summary, kernels):
    """Counts the left-out tests in the summary, for a number of kernels, and lists them in a file."""
    needs = _needs()
    path = places.results_base() / 'left-out.txt'
    path.write_text(''.join(f'{name}: {need}\n' for name, need in sorted(needs.items())))

    def count(need):
        return sum(each == need for each in needs.values())
    counts = [f'{count(LONG)} long test methods', f'{count(NONE)} that need no kernel (simulated devices ran them)']
    counts.append(f'{len(_programs())} programs of others (tools/lab programs)')
    if kernels > 1:
        counts.append(f'on all kernels but one, {count(ONE)} that need only one kernel')
    summary.leave_out(counts, f'{places.short(path)} lists them; tools/lab test --all runs them')


def _needs():
    """Returns the needs of tests that are left out on some kernel, by name."""
    done = subprocess.run([java.program(), '-XX:TieredStopAtLevel=1', '-cp', f'{java.test_jars()}/*', 'io.verbs4j.tests.support.TestNeeds'],
                          stdout=subprocess.PIPE, text=True, check=True)
    needs = {}
    for line in done.stdout.splitlines():
        name, *tags = line.split()
        for need in (LONG, NONE, ONE):
            if need in tags:
                needs[name] = need
                break
    return needs


def _programs():
    """Returns the sources of the tests of programs that `mvn verify` leaves out, because they are long."""
    return [path for path in (places.REPOSITORY / 'programs' / 'src' / 'test').rglob('*Test.java') if f'@Tag("{LONG}")' in path.read_text()]
