# SPDX-License-Identifier: Apache-2.0
"""The parts of a test run. They run concurrently in lanes, each writes a log, and the screen shows one line per part."""
import contextlib
import json
import os
import sys
import threading
import time
from dataclasses import dataclass
from typing import Callable

from . import places, signals
from .say import Channel, NamedChannel, progress, use_channel, write_all

UNKNOWN = 240  # estimated seconds of a part that has never run
REFRESH = 1  # seconds between two updates of the remaining time
REPORT = 60  # the same without a terminal, where each update is a line


@dataclass
class Part:
    name: str  # unique
    run: Callable[[], None]  # adds its results to the summary
    seconds: float = UNKNOWN  # the last run's


class LogChannel(Channel):
    """Writes a part's messages and its guests' output to a file. Warnings are also shown."""

    def __init__(self, path):
        self._file = open(path, 'wb', buffering=0)

    def out(self, data):
        self._file.write(data)

    err = out

    def message(self, text):
        self.out(text.encode() + b'\n')

    def warning(self, text):
        self.message(text)
        super().message(text)

    def flush(self):
        self._file.close()


class Times:
    """The durations of parts in their last run on this machine, kept in the cache. They are estimates, so failures are ignored."""

    def __init__(self):
        self._path = places.cache() / 'test-times.json'
        self._lock = threading.Lock()

    def all(self):
        try:
            return json.loads(self._path.read_text())
        except (OSError, ValueError):
            return {}

    def keep(self, name, seconds):
        with self._lock, contextlib.suppress(OSError):
            times = self.all() | {name: round(seconds, 1)}
            temporary = self._path.with_suffix(f'.{os.getpid()}')  # other labs write the file, too
            temporary.write_text(json.dumps(times, indent=1, sort_keys=True) + '\n')
            temporary.rename(self._path)


class Runner:
    """Runs parts. If one is stopped by a signal or an error of the lab, no further parts are started."""

    def __init__(self, lanes, verbose):
        self._lanes, self._verbose = lanes, verbose
        self._times = Times()
        self._waiting, self._running = [], {}
        self._lock = threading.Lock()
        self._stopped = None
        self._draws = sys.stderr.isatty() and not verbose
        self._reported = time.monotonic()
        self._logs = None if verbose else places.make_results('logs')

    def run(self, parts):
        """Runs all parts in order as lanes become free. Raises the exception that stopped them."""
        times = self._times.all()
        for part in parts:
            part.seconds = times.get(part.name, part.seconds)
        self._waiting = list(parts)
        lanes = [threading.Thread(target=self._lane) for _ in range(min(self._lanes, len(parts)))]
        for lane in lanes:
            lane.start()
        for lane in lanes:
            while lane.is_alive():
                lane.join(REFRESH)
                self._draw()
        self.show([])
        if self._stopped:
            raise self._stopped

    def show(self, lines):
        """Prints lines of results above the line with the remaining time."""
        with self._lock:
            if self._draws:
                write_all(2, b'\r\x1b[K')
            Channel().out(''.join(line + '\n' for line in lines).encode())

    def _lane(self):
        while True:
            with self._lock:
                if not self._waiting or self._stopped:
                    return
                part = self._waiting.pop(0)
                self._running[part.name] = part.seconds + time.monotonic()
            try:
                signals.check()
                self._run(part)
            except BaseException as e:  # pylint: disable=broad-except
                self._stopped = self._stopped or e
            finally:
                with self._lock:
                    del self._running[part.name]

    def _run(self, part):
        started = time.monotonic()
        chosen = NamedChannel(part.name.replace(', ', '/')) if self._verbose else LogChannel(self._logs / log_name(part.name))
        use_channel(chosen)
        try:
            part.run()
        finally:
            use_channel(None)
            chosen.flush()
        self._times.keep(part.name, time.monotonic() - started)

    def _draw(self):
        now = time.monotonic()
        if not self._draws and (self._verbose or now < self._reported + REPORT):
            return
        with self._lock:
            if not self._running:
                return
            text = f'running {", ".join(self._running)}; {left(self._running.values(), self._waiting, now)}'
            if self._draws:
                write_all(2, f'\r  {text[:_columns() - 3]}\x1b[K'.encode())
        if not self._draws:
            progress(text)
            self._reported = now


def left(ends, waiting, now):
    """Returns the estimated remaining time. Running parts end as estimated or now; then each lane takes the next part."""
    lanes = sorted(max(end - now, 0) for end in ends) or [0]
    for part in waiting:
        lanes[0] += part.seconds
        lanes.sort()
    minutes = round(lanes[-1] / 60)
    return f'about {minutes} min left' if minutes else 'less than a minute left'


def log_name(name):
    """Returns the name of the file for a part's messages and output."""
    return name.replace(', ', '-').replace(' ', '-').replace('/', '_') + '.log'


def _columns():
    try:
        return os.get_terminal_size(2).columns
    except OSError:
        return 80
