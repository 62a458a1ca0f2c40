# SPDX-License-Identifier: Apache-2.0
"""The watch over a machine, played by programs of this machine."""
import io
import os
import subprocess
import sys
import tempfile
import time
import unittest
from contextlib import redirect_stderr
from pathlib import Path
from unittest import mock

from labkit import guest, say, signals, watch
from labkit.kerneltree import Kernel
from labkit.qemu import Process


class Recorder(say.Channel):
    def __init__(self):
        self.data = {'out': b'', 'err': b'', 'message': b''}

    def out(self, data):
        self.data['out'] += data

    def err(self, data):
        self.data['err'] += data

    def message(self, text):
        self.data['message'] += text.encode() + b'\n'


class Machine:
    """Runs a Python program in place of a machine; it has the descriptors console, out, err and control."""
    description = 'a program'
    start_limit = None

    def __init__(self, program):
        self.program = program

    def start(self):
        console, out, err, control = os.pipe(), os.pipe(), os.pipe(), os.pipe()
        passed = [console[1], out[1], err[1], control[0]]
        names = 'import os, sys, time\nconsole, out, err, control = map(int, sys.argv[1:])\n' \
                'def say(text): os.write(console, text.encode())\n'
        popen = subprocess.Popen([sys.executable, '-c', names + self.program, *map(str, passed)], pass_fds=passed,
                                 start_new_session=True)
        for descriptor in passed:
            os.close(descriptor)
        return Process(popen, console[0], {'out': out[0], 'err': err[0]}, control[1])

    def explain(self):
        return ()


class Watching(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.results = Path(folder.name)
        self.recorder = Recorder()
        say.use_channel(self.recorder)
        self.addCleanup(say.use_channel, None)
        received = mock.patch('labkit.signals._received', [])
        received.start()
        self.addCleanup(received.stop)

    def watch(self, program, timeout=20):
        kernel = Kernel('test', '1.0', Path('/none'), None)
        self.guest = guest.Guest(guest.Settings(timeout=timeout), kernel, self.results)
        machine = Machine(program)
        boot = watch.watch(self.guest, machine)
        watch.judge(self.guest, machine, boot)
        return boot

    def test_returns_the_code_and_the_output_byte_by_byte(self):
        boot = self.watch(r'''
say("verbs4j-lab: init\r\nverbs4j-lab: ready\n")
os.write(out, bytes(range(256))); os.write(err, b"problem")
say("verbs4j-lab: ex"); time.sleep(0.05); say("it 7\n")''')
        self.assertEqual((7, 'exit', True), (self.guest.code, boot.stage, boot.was_ready))
        self.assertEqual((bytes(range(256)), b'problem'), (self.recorder.data['out'], self.recorder.data['err']))
        self.assertEqual('verbs4j-lab: init\nverbs4j-lab: ready\nverbs4j-lab: exit 7\n', (self.results / 'console.log').read_text())

    def test_ends_a_guest_at_its_time_limit(self):
        started = time.monotonic()
        self.watch('say("verbs4j-lab: init\\nverbs4j-lab: ready\\n"); time.sleep(60)', timeout=1)
        self.assertEqual(say.EXIT_TIMEOUT, self.guest.code)
        self.assertLess(time.monotonic() - started, 30)
        self.assertIn(b'wall-clock limit of 1 s', self.recorder.data['message'])
        self.assertEqual('124\n', (self.results / 'exit-code').read_text())

    def test_shows_what_stands_before_a_panic(self):
        boot = self.watch('say("verbs4j-lab: init\\n" + "noise\\n" * 30 + "the reason\\n[ 1.0] Kernel panic - not syncing: dead\\n" + "trace\\n" * 30)')
        self.assertEqual((say.EXIT_LAB, 'panic', 'Kernel panic - not syncing: dead'), (self.guest.code, boot.stage, boot.failure))
        message = self.recorder.data['message'].decode()
        self.assertIn('the reason', message)
        self.assertEqual(2, message.count('trace\n'))

    def test_says_that_the_guest_ended_without_a_code(self):
        self.watch('say("verbs4j-lab: init\\nverbs4j-lab: ready\\n")')
        self.assertEqual(say.EXIT_LAB, self.guest.code)
        self.assertIn(b'without an exit code', self.recorder.data['message'])

    def test_hands_a_signal_to_the_command(self):
        note = self.recorder.message
        self.recorder.message = lambda text: note(text) if 'guest is up' not in text else signals.receive('INT')
        with redirect_stderr(io.StringIO()):
            self.watch('say("verbs4j-lab: init\\nverbs4j-lab: ready\\n")\nos.write(out, os.read(control, 99))\nsay("verbs4j-lab: exit 3\\n")')
        self.assertEqual((130, b'INT\n'), (self.guest.code, self.recorder.data['out']))
        self.assertFalse(signals._receivers)

    def test_sends_the_command_a_broken_pipe_when_nobody_reads(self):
        def gone(_):
            raise BrokenPipeError
        self.recorder.out = gone
        self.watch(r'''
say("verbs4j-lab: init\nverbs4j-lab: ready\n")
os.write(out, b"first")
signal = os.read(control, 99)
os.write(out, b"x" * 300000)
say("verbs4j-lab: exit %d\n" % (signal == b"PIPE\n"))''')
        self.assertEqual(1, self.guest.code)


class Names(unittest.TestCase):
    def test_stand_before_each_whole_line(self):
        read, write = os.pipe()
        saved = os.dup(1)
        try:
            os.dup2(write, 1)
            named = say.NamedChannel('6.1')
            named.out(b'one\ntw')
            named.err(b'between\n')
            named.out(b'o\nlast')
            named.flush()
        finally:
            os.dup2(saved, 1)
            os.close(saved)
            os.close(write)
        with open(read, 'rb') as file:
            self.assertEqual(b'6.1: one\n6.1: between\n6.1: two\n6.1: last\n', file.read())
