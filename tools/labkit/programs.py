# SPDX-License-Identifier: Apache-2.0
"""Runs other programs."""
import contextlib
import fcntl
import os
import shutil
import signal
import subprocess
import time

from . import signals
from .say import LabError, progress

# Debian keeps system programs in sbin, which is not on an ordinary user's PATH.
os.environ['PATH'] = os.environ.get('PATH', '/usr/bin:/bin') + ':/usr/local/sbin:/usr/sbin:/sbin'


def find(program):
    return shutil.which(program)


def output(*command, **options):
    """Returns the output of a program; nothing if it fails or does not exist."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                              text=True, check=False, **options)
    except OSError:
        return ''
    return done.stdout if done.returncode == 0 else ''


@contextlib.contextmanager
def running(command, **options):
    """Starts a program in a session of its own. A signal to the lab ends the program, all programs that it started, and then the lab."""
    signals.check()
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True, **options) as process:
        def end(_):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
        try:
            with signals.passed_to(end):
                yield process
                process.wait()
        finally:
            if process.poll() is None:
                end('')
    signals.check()


def logged(log, failure, *command, **options):
    """Runs a program with all output to a log. If it fails, raises an error with the log's last lines."""
    with open(log, 'ab') as file:
        code = subprocess.run(command, stdout=file, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False,
                              **options).returncode
    if code != 0:
        raise LabError(f'{failure}; the last lines of {log}:\n' + last_lines(log, 8))


def last_lines(path, count):
    with open(path, encoding='utf-8', errors='replace') as file:
        return '\n'.join('    ' + line for line in file.read().splitlines()[-count:])


@contextlib.contextmanager
def locked(path, waiting):
    """Holds a lock file, so that concurrent labs do not create the same files. Yields whether it had to wait. A signal ends the wait."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, 'w', encoding='utf-8') as file:
        waited = False
        while not _try_lock(file):
            if not waited:
                progress(waiting)
            waited = True
            signals.check()
            time.sleep(0.1)
        yield waited


def make_once(path, lock, waiting, make):
    """Makes a file or folder of the cache unless it exists. Of concurrent labs, only one makes it."""
    if not path.exists():
        with locked(lock, waiting):
            if not path.exists():
                make()


def _try_lock(file):
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
