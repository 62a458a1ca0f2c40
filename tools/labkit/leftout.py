# SPDX-License-Identifier: Apache-2.0
"""What the default run leaves out: the device tests state what they need (Needs of the tests)."""
import subprocess

from . import java, places

LONG, ONE, NONE = 'long-run', 'one-kernel', 'no-kernel'


def report(summary, kernels):
    """Counts in the summary what was left out on so many kernels, and names it in a file."""
    needs = _needs()
    path = places.results_base() / 'left-out.txt'
    path.write_text(''.join(f'{name}: {need}\n' for name, need in sorted(needs.items())))

    def count(need):
        return sum(each == need for each in needs.values())
    counts = [f'{count(LONG)} test methods that take long', f'{count(NONE)} that need no kernel (simulated devices ran them)']
    if kernels > 1:
        counts.append(f'on all kernels but one {count(ONE)} that need one')
    summary.leave_out(counts, f'{places.short(path)} names them; tools/lab test --all runs them')


def _needs():
    """Returns what each test that is left out somewhere needs, by its name."""
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
