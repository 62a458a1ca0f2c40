# SPDX-License-Identifier: Apache-2.0
"""Keeps this machine's processors awake during a measurement.

An idle processor sleeps, and needs time to wake up. In a virtual machine, whose processors sleep in its host, this takes many
times as long as waking a thread otherwise, and varies.
"""
import contextlib
import struct

from .say import progress

# Documentation/power/pm_qos_interface.rst: the request holds while the file is open.
DEVICE = '/dev/cpu_dma_latency'
MICROSECONDS = struct.pack('i', 0)


@contextlib.contextmanager
def processors():
    """Keeps idle processors polling, if this user has the permission."""
    with contextlib.ExitStack() as stack:
        try:
            # r+: does not create the file on a machine without the device.
            stack.enter_context(open(DEVICE, 'r+b', buffering=0)).write(MICROSECONDS)
        except OSError as error:
            progress(f'idle processors may sleep, which increases the variance of the results: {DEVICE}: {error.strerror}')
        yield
