# SPDX-License-Identifier: Apache-2.0
"""Observes one guest from boot to power-off: its stages, its time limits, signals from outside, and its end."""
import contextlib
import os
import select
import signal
import subprocess
import threading
import time
from dataclasses import dataclass

from . import places, signals
from .kernelnames import UML_DEBUG, UML_GCOV
from .say import EXIT_LAB, EXIT_TIMEOUT, channel, progress, warn

BOOT_LIMIT = 180  # seconds until the command starts; emulation on a busy machine can be slow
OFF_LIMIT = 20  # seconds from the command's end to power-off
KEEPING_LIMIT = 600  # the same for a kernel that searches for leaks first, or whose counts are saved
SIGNAL_LIMIT = 5  # seconds for a command after a signal


@dataclass
class Boot:
    """Progress of a boot: start, init, ready, exit, failed or panic."""

    stage: str = 'start'
    since: float = 0.0
    failure: str = ''
    code: int | None = None
    was_ready: bool = False
    ended: str | None = None

    @property
    def did_not_start(self):
        return self.stage == 'start' and self.ended in (None, 'limit')

    def note(self, line, now):
        """Handles a line of the console: reports of guest-init and guest-main, panics. Returns whether the guest became ready."""
        if 'Kernel panic - not syncing' in line and 'verbs4j-lab: ' not in line:
            self.stage, self.failure, self.since = 'panic', line.partition('] ')[2] or line, now
            return False
        _, mark, report = line.partition('verbs4j-lab: ')
        if not mark:
            return False
        self.since = now
        word, _, rest = report.partition(' ')
        if report in ('init', 'ready'):
            self.stage = report
            self.was_ready = self.was_ready or report == 'ready'
            return report == 'ready'
        if word == 'failed':
            self.stage, self.failure = word, rest
        elif word == 'exit':
            self.stage, self.code = word, int(rest)
        return False


def watch(guest, machine):
    """Starts the machine and reads its console until it ends; returns the boot."""
    return _Watch(guest, machine).run()


class _Watch:
    def __init__(self, guest, machine):
        self.guest, self.machine = guest, machine
        self.boot = Boot()
        self.channel = channel()
        self.kill_at = None
        guest.ended = None

    def run(self):
        self.guest.watch = self
        with signals.passed_to(self.interrupt):
            progress(f'booting {self.guest.kernel.release} in {self.machine.description}')
            self.started = time.monotonic()
            self.process = self.machine.start()
            copies = [threading.Thread(target=self._copy, args=(name, descriptor), daemon=True)
                      for name, descriptor in self.process.outputs.items()]
            for thread in copies:
                thread.start()
            try:
                with open(self.guest.results / 'console.log', 'wb', buffering=0) as log:
                    self._read_console(log)
            finally:
                # The console has ended: the machine has ended, or is about to.
                self._stop(at_once=False)
                for thread in copies:
                    thread.join()
                os.close(self.process.console)
                if self.process.control is not None:
                    os.close(self.process.control)
                    self.process.control = None
        self.guest.watch = None
        self.boot.ended = self.guest.ended
        return self.boot

    def _copy(self, name, descriptor):
        """Copies the command's output.

        When the output's reader has ended (lab run … | head), the command gets the same signal as without a guest. The rest of the
        output is discarded, because the machine would otherwise wait indefinitely.
        """
        put, gone = getattr(self.channel, name), False
        while data := os.read(descriptor, 65536):
            if not gone:
                try:
                    put(data)
                except OSError:
                    gone = True
                    self._send('PIPE')
        os.close(descriptor)

    def _send(self, name):
        if self.process.control is not None:
            with contextlib.suppress(OSError):
                os.write(self.process.control, name.encode() + b'\n')

    def _limit(self):
        """Returns the nearest of the time limits at this stage, and its name."""
        limits = []
        if self.guest.settings.timeout:
            limits.append((self.started + self.guest.settings.timeout, 'timeout'))
        if self.boot.stage == 'start':
            limits.append((self.started + (self.machine.start_limit or BOOT_LIMIT), 'limit'))
        elif self.boot.stage == 'init':
            limits.append((self.started + BOOT_LIMIT, 'limit'))
        elif self.boot.stage != 'ready':
            keeps = self.guest.kernel.name in (UML_GCOV, UML_DEBUG)
            limits.append((self.boot.since + (KEEPING_LIMIT if keeps else OFF_LIMIT), 'limit'))
        if self.kill_at is not None:
            limits.append((self.kill_at, self.guest.ended))
        return min(limits, default=(None, None), key=lambda limit: limit[0])

    def _read_console(self, log):
        part = b''
        while True:
            limit, name = self._limit()
            wait = 1.0 if limit is None else min(1.0, limit - time.monotonic())
            if wait <= 0:
                self.guest.ended = self.guest.ended or name
                self._stop(at_once=True)
                return
            if not select.select([self.process.console], [], [], wait)[0]:
                continue
            data = os.read(self.process.console, 65536)
            *lines, part = (part + data).split(b'\n')
            if not data and part:
                lines, part = [part], b''
            for line in lines:
                line = line.rstrip(b'\r')
                log.write(line + b'\n')
                self._note(line.decode(errors='replace'))
            if not data:
                return

    def _note(self, line):
        now = time.monotonic()
        if self.boot.note(line, now):
            progress(f'guest is up after {now - self.started:.1f} s; results in {places.short(self.guest.results)}')

    def interrupt(self, name):
        """Passes the first signal to the guest's command, which gets some seconds to end. A second signal ends the machine."""
        now = time.monotonic()
        if self.guest.ended or self.boot.stage in ('start', 'init'):
            self.kill_at = now
        else:
            progress(f"SIG{name}: ending the guest's command (again: ending the guest at once)", self.channel)
            self._send(name)
            self.kill_at = now + SIGNAL_LIMIT
        self.guest.ended = name

    def _stop(self, at_once):
        """Ends the machine if it still runs: its whole session, by the number of the leading process."""
        popen = self.process.popen
        if not at_once:
            with contextlib.suppress(subprocess.TimeoutExpired):
                popen.wait(OFF_LIMIT)
        for number in (signal.SIGTERM, signal.SIGKILL):
            if popen.poll() is not None:
                return
            with contextlib.suppress(ProcessLookupError):
                os.killpg(popen.pid, number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                popen.wait(2)
        popen.wait()


def judge(guest, machine, boot):
    """Sets the guest's exit code from the events, and prints explanations."""
    console = guest.results / 'console.log'
    if guest.ended in signals.CODES:
        guest.code = signals.CODES[guest.ended]
    elif guest.ended == 'timeout':
        warn(f'the wall-clock limit of {guest.settings.timeout} s (--timeout) ended the guest; '
             f'console log: {places.short(console)}')
        guest.code = EXIT_TIMEOUT
    elif boot.stage == 'exit':
        guest.code = boot.code
        progress(f'guest is off, exit code {guest.code}')
        return
    else:
        if guest.settings.mortal and boot.was_ready:
            progress(f'the kernel stopped; its console: {places.short(console)}')
        else:
            _explain(machine, boot, console)
        guest.code = EXIT_LAB
    (guest.results / 'exit-code').write_text(f'{guest.code}\n')


def _explain(machine, boot, console):
    if boot.stage == 'panic':
        warn(f"the guest's kernel panicked: {boot.failure}")
    elif boot.stage == 'failed':
        warn(f'the guest could not be set up: {boot.failure}')
    elif boot.stage == 'ready':
        warn('the guest ended without an exit code of its command')
    elif boot.ended == 'limit':
        warn(f'the guest did not start within {BOOT_LIMIT} s (last stage: {boot.stage})')
    else:
        warn(f'{machine.description} ended before the guest had started (last stage: {boot.stage})')
    for text in machine.explain():
        warn(text)
    name = places.short(console)
    lines = console.read_text(errors='replace').splitlines()
    if not lines:
        warn(f'its console ({name}) is empty')
        return
    warn(f'the last lines of its console ({name}):')
    panic = next((i for i, line in enumerate(lines) if 'Kernel panic - not syncing' in line), None)
    # A panic is explained by the preceding lines, not by the call trace after it.
    shown = lines[-15:] if boot.stage != 'panic' or panic is None else lines[max(0, panic - 12):panic + 3]
    for line in shown:
        channel().message(line)
