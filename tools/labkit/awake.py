# SPDX-License-Identifier: Apache-2.0
"""Keeps this machine's processors awake while something is measured.

A processor that has nothing to do sleeps, and takes time to wake up: in a virtual machine, whose processors sleep in its host,
many times what the guest's wake-up of a thread costs otherwise, and another time at each.
"""
import contextlib
import struct

from .say import progress

# Documentation/power/pm_qos_interface.rst: what is asked for holds while the file is open.
DEVICE = '/dev/cpu_dma_latency'
MICROSECONDS = struct.pack('i', 0)


@contextlib.contextmanager
def processors():
    """Keeps idle processors polling, if this user may ask for that."""
    with contextlib.ExitStack() as stack:
        try:
            # r+: a machine without the device gets no file in its place.
            stack.enter_context(open(DEVICE, 'r+b', buffering=0)).write(MICROSECONDS)
        except OSError as error:
            progress(f'idle processors may sleep, which scatters what is measured: {DEVICE}: {error.strerror}')
        yield
