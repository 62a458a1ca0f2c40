# SPDX-License-Identifier: Apache-2.0
"""tools/lab pingpong: a short demonstration."""
import subprocess

from .. import guest, java, kernelnames, packages, places
from ..options import GUEST_HELP, Options
from ..say import UsageError, plain, progress, warn

HELP = f'''Usage: tools/lab pingpong [OPTION]… [-- RC-PINGPONG-OPTION…]

Builds changed sources, boots a kernel, and runs an RC ping-pong between two Java processes: the server on rxe1 and the
client on rxe0. Shows the output of both, and the first and last packets on the wire. Arguments after -- are passed
to both programs, for example: -- -s 4096 -n 100 -e

{GUEST_HELP}
'''


def run(arguments):
    settings = guest.Settings(timeout=300)
    options, own, theirs = Options('pingpong', settings), list(arguments), []
    if '--' in own:
        own, theirs = own[:own.index('--')], own[own.index('--') + 1:]
    for word in options.parse(own):
        raise UsageError(f"pingpong: unknown argument '{word}' (options for rc-pingpong itself follow --)")
    kernelnames.check_name(settings.kernel)
    if not settings.devices:
        raise UsageError('pingpong needs devices, so it does not support --no-devices')
    packages.ensure_with_jdk()
    if not java.ensure_built():
        return 1
    done = guest.run(settings, [places.GUEST_FILES / 'guest-pingpong', *theirs])
    if done.code == 0 and guest.emulated(done):
        plain('\nThe times above were measured under emulation, many times slower than real hardware, because this machine offers no hardware'
              ' virtualization.\ndocs/performance.md compares Java with C under the same emulation.')
    capture = done.results / 'wire.pcap'
    if done.code == 0 and capture.exists() and capture.stat().st_size:
        plain(f'\n== on the wire (veth0, {places.short(capture)}) ==')
        code = subprocess.run([places.LAB_HOME / 'verbs', 'packets', capture, '--limit', '12'], check=False).returncode
        progress('done')
        return code
    if done.code == 0:
        warn('there are no packets to show, because tcpdump did not capture them')
    return done.code
