# SPDX-License-Identifier: Apache-2.0
"""Signals to the lab: they are passed to the commands of running guests, end other programs, and then end the lab."""
import contextlib
import signal
import sys

CODES = {'INT': 130, 'TERM': 143, 'HUP': 129}  # exit codes

_received = []
_receivers = set()  # of all threads


def handle():
    """Handles signals from now on, except those that the lab's caller ignores (nohup)."""
    for name in CODES:
        number = getattr(signal, f'SIG{name}')
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, lambda *_, name=name: receive(name))


def receive(name):
    """Passes a signal to the receivers. Without one, it ends this thread, which cleans up."""
    _received.append(name)
    receivers = list(_receivers)
    for receiver in receivers:
        receiver(name)
    if not receivers:
        check()


def check():
    """Ends this thread if a signal has arrived. No further guest or program starts, and a guest that the signal has ended is not judged."""
    if _received:
        sys.exit(CODES[_received[-1]])


@contextlib.contextmanager
def passed_to(receiver):
    """Passes the names of signals to a function, also if they have just arrived."""
    _receivers.add(receiver)
    try:
        for name in _received:
            receiver(name)
        yield
    finally:
        _receivers.discard(receiver)
