#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Deleting the interface of one rxe device ends the traffic of all others (Linux 7.2).

A program has a device open whose network interface is deleted. The kernel announces the removal once a second, until
no reference to the interface is left (netdev_wait_allrefs_any, net/core/dev.c). At each announcement, rxe decrements
its count of devices (rxe_notify, rxe_net_del, rxe_net.c). When the count falls to zero, rxe closes UDP port 4791 of
the network namespace, although two devices exist and report an active port. Linux 6.12 keeps the port open.

Needs ends.py beside it, pyverbs, iproute2, and two rxe devices:
    tools/lab run --kernel sid -- python3 tools/reproductions/removed-interface.py rxe0 10.9.0.1 rxe1 10.9.0.2 veth1
The exit code is 1 if the defect is present, and 0 if not. At the end, the program opens the port again: it adds an
rxe device with a name in use, which fails, but leaves the port counted once more."""
import subprocess
import time

from ends import run
from pyverbs.device import Context

NAME, INTERFACE, OTHER_END = 'rxe8', 'veth80', 'veth81'
SECONDS = 10


def call(*command, check=True):
    subprocess.run(command, check=check, stderr=None if check else subprocess.DEVNULL)


def is_open():
    with open('/proc/net/udp') as sockets:
        return any(line.split()[1].endswith(':12B7') for line in sockets)


def main(left, left_address, right, right_address, interface):
    call('ip', 'link', 'add', INTERFACE, 'type', 'veth', 'peer', 'name', OTHER_END)
    call('ip', 'link', 'set', INTERFACE, 'up')
    call('rdma', 'link', 'add', NAME, 'type', 'rxe', 'netdev', INTERFACE)
    context = Context(name=NAME)
    with subprocess.Popen(['ip', 'link', 'delete', INTERFACE]) as removal:
        end = time.monotonic() + SECONDS
        while is_open() and time.monotonic() < end:
            time.sleep(0.1)
        closed = not is_open()
        context.close()
        removal.wait()
    if not closed:
        print('UDP port 4791 stays open')
        return 0
    print(f'UDP port 4791 is closed; {left} and {right} are still there')
    for _ in range(3):  # the socket, and a reference for each device
        call('rdma', 'link', 'add', left, 'type', 'rxe', 'netdev', 'lo', check=False)
    return 1


run(main, __doc__)
