# SPDX-License-Identifier: Apache-2.0
"""Messages, exit codes and the lab's clock. Progress is written to stderr, because stdout is for the guest's command."""
import os
import sys
import threading
import time

EXIT_USAGE = 2  # wrong options
EXIT_TIMEOUT = 124  # the time limit ended the guest, as with timeout(1)
EXIT_LAB = 125  # the lab failed, not the command: nothing to boot, or the guest hung or panicked

STARTED = time.monotonic()
_quiet = False
_thread = threading.local()


class LabError(Exception):
    """Ends the lab with a message and exit code 125."""


class UsageError(Exception):
    """Ends the lab with a message about wrong options and exit code 2."""


def be_quiet():
    global _quiet
    _quiet = True


class Channel:
    """Receives a thread's messages and its guest's output: the lab's own stdout and stderr."""

    def out(self, data):
        write_all(1, data)

    def err(self, data):
        write_all(2, data)

    def message(self, text):
        write_all(2, text.encode() + b'\n')

    def warning(self, text):
        self.message(text)


class NamedChannel(Channel):
    """Prefixes each line with a name, so that concurrent guests can be distinguished. Writes all to one descriptor."""

    _lock = threading.RLock()

    def __init__(self, name, descriptor=1):
        self._descriptor = descriptor
        self._name = name.encode() + b': '
        self._parts = {}

    def out(self, data):
        self._lines('out', data)

    def err(self, data):
        self._lines('err', data)

    def message(self, text):
        self._lines('message', text.encode() + b'\n')

    def flush(self):
        for stream, part in list(self._parts.items()):
            if part:
                self._lines(stream, b'\n')

    def _lines(self, stream, data):
        with self._lock:
            *lines, rest = (self._parts.get(stream, b'') + data).split(b'\n')
            self._parts[stream] = rest
            if lines:
                write_all(self._descriptor, b''.join(self._name + line + b'\n' for line in lines))


def write_all(descriptor, data):
    while data:
        data = data[os.write(descriptor, data):]


def channel():
    return getattr(_thread, 'channel', None) or Channel()


def use_channel(chosen):
    """Sends all messages of this thread, and the output of its guests, to this channel."""
    _thread.channel = chosen


def progress(text, to=None):
    if not _quiet:
        (to or channel()).message(f'lab: [{time.monotonic() - STARTED:5.1f}s] {text}')


def warn(text):
    channel().warning(f'lab: {text}')


def plain(text):
    """Prints a line of the lab's own results to stdout."""
    sys.stdout.flush()
    channel().out(text.encode() + b'\n')
