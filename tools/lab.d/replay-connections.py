#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Executes walks over connections through librdmacm. Reads one walk per line as JSON, and writes a result for each step.

Debian's pyverbs has librdmacm's identifiers, but neither the status nor the identifier of events, so this calls the library itself."""
import ctypes
import errno
import itertools
import json
import os
import socket
import struct
import sys
import time

LIMIT = 30
PATIENCE = 500
PORT_SPACES = {'CREATE': 0x106, 'CREATE_DATAGRAMS': 0x111}
STATES = {'ATTRIBUTES_INIT': 1, 'ATTRIBUTES_RTR': 2, 'ATTRIBUTES_RTS': 3}
TIMEWAIT_EXIT = 15

lib = ctypes.CDLL('librdmacm.so.1', use_errno=True)
lib.rdma_create_event_channel.restype = ctypes.c_void_p
# Numbers that a peer still remembers are rejected.
queue_pairs = itertools.count(0x600000 | (os.getpid() & 0x3ff) << 10)


class Parameters(ctypes.Structure):
    """struct rdma_conn_param."""
    _fields_ = [('private_data', ctypes.c_char_p), ('private_data_len', ctypes.c_uint8),
                ('responder_resources', ctypes.c_uint8), ('initiator_depth', ctypes.c_uint8),
                ('flow_control', ctypes.c_uint8), ('retry_count', ctypes.c_uint8), ('rnr_retry_count', ctypes.c_uint8),
                ('srq', ctypes.c_uint8), ('qp_num', ctypes.c_uint32)]


class Event(ctypes.Structure):
    """struct rdma_cm_event, up to the common part of its two kinds of parameters."""
    _fields_ = [('id', ctypes.c_void_p), ('listen_id', ctypes.c_void_p), ('event', ctypes.c_int),
                ('status', ctypes.c_int), ('private_data', ctypes.c_void_p), ('private_data_len', ctypes.c_uint8)]


class Walk:
    def __init__(self):
        self.channels = [lib.rdma_create_event_channel() for _ in range(2)]
        for channel in self.channels:
            os.set_blocking(ctypes.c_int.from_address(channel).value, False)
        self.open = {}  # the library's identifiers by their numbers
        self.homes = {}  # the channel of each, by number
        self.datagrams = set()
        self.next = 0

    def add(self, identifier, home, datagrams):
        self.open[self.next] = identifier
        self.homes[self.next] = home
        if datagrams:
            self.datagrams.add(self.next)
        self.next += 1

    def number(self, identifier):
        return next(number for number, each in self.open.items() if each == identifier)

    def perform(self, step):
        kind, number = step['do'], step['id']
        if kind in PORT_SPACES:
            made = ctypes.c_void_p()
            result = lib.rdma_create_id(ctypes.c_void_p(self.channels[step['channel']]), ctypes.byref(made), None,
                                        PORT_SPACES[kind])
            if result == 0:
                self.add(made.value, step['channel'], kind == 'CREATE_DATAGRAMS')
            return outcome(result)
        if kind == 'CLOSE':
            return self.close(number)
        # The library reads the limits of a missing device.
        if kind in ('CONNECT', 'ACCEPT') and not ctypes.c_void_p.from_address(self.open[number]).value:
            answer = 'left out'
        else:
            answer = outcome(self.call(kind, number, ctypes.c_void_p(self.open[number]), step))
        if step['hasty']:
            self.close(number)
        return answer

    def call(self, kind, number, identifier, step):
        address = struct.pack('=HHL8x', socket.AF_INET, socket.htons(step['port']),
                              struct.unpack('=L', socket.inet_aton(step['host']))[0])
        data = bytes.fromhex(step['data'])
        parameters = Parameters(data, len(data), qp_num=next(queue_pairs))
        if kind in STATES:
            attributes = ctypes.create_string_buffer(struct.pack('=I', STATES[kind]), 1024)
            return lib.rdma_init_qp_attr(identifier, attributes, ctypes.byref(ctypes.c_int()))
        if kind == 'MIGRATE':
            self.homes[number] = 1 - self.homes[number]
            return lib.rdma_migrate_id(identifier, ctypes.c_void_p(self.channels[self.homes[number]]))
        return {
            'REUSE_ADDRESS': lambda: lib.rdma_set_option(identifier, 0, 1, ctypes.byref(ctypes.c_int(1)), 4),
            'BIND': lambda: lib.rdma_bind_addr(identifier, address),
            'RESOLVE_ADDRESS': lambda: lib.rdma_resolve_addr(identifier, None, address, PATIENCE),
            'RESOLVE_ROUTE': lambda: lib.rdma_resolve_route(identifier, PATIENCE),
            'LISTEN': lambda: lib.rdma_listen(identifier, 0),
            'CONNECT': lambda: lib.rdma_connect(identifier, ctypes.byref(parameters)),
            'ACCEPT': lambda: lib.rdma_accept(identifier, ctypes.byref(parameters)),
            'CONFIRM': lambda: lib.rdma_establish(identifier),
            'REJECT': lambda: lib.rdma_reject(identifier, data, len(data)),
            'DISCONNECT': lambda: lib.rdma_disconnect(identifier),
        }[kind]()

    def close(self, number):
        return outcome(lib.rdma_destroy_id(ctypes.c_void_p(self.open.pop(number))))

    def events(self):
        """Takes the pending events."""
        for home, channel in enumerate(self.channels):
            pointer = ctypes.POINTER(Event)()
            while lib.rdma_get_cm_event(ctypes.c_void_p(channel), ctypes.byref(pointer)) == 0:
                text = self.text(home, pointer.contents)
                lib.rdma_ack_cm_event(pointer)
                if text:
                    yield text

    def text(self, home, event):
        data = f' {event.private_data_len} ' + ctypes.string_at(event.private_data, event.private_data_len).rstrip(
            b'\0').hex()
        number = self.number(event.listen_id or event.id)
        if event.event == 4:
            self.add(event.id, home, number in self.datagrams)
            return f'{home} #{number} request #{self.next - 1}{data}'
        if event.event == TIMEWAIT_EXIT:
            return None
        words = {0: 'address resolved', 2: 'route resolved', 5: 'response' + data,
                 7: f'unreachable {event.status}', 8: f'rejected {event.status}{data}',
                 9: 'datagrams' + data if number in self.datagrams else 'established',
                 10: f'disconnected {event.status}'}
        return f'{home} #{number} ' + words.get(event.event, f'event {event.event}, status {event.status}')


def outcome(result):
    return 'done' if result == 0 else errno.errorcode[ctypes.get_errno()]


def take(walk, step):
    answer = walk.perform(step)
    deadline = time.monotonic() + LIMIT
    come = list(walk.events())
    while len(come) < step['events'] and time.monotonic() < deadline:
        time.sleep(0.0005)
        come += walk.events()
    return f'{answer}: ' + '; '.join(sorted(come))


def main():
    with open(sys.argv[1], encoding='utf-8') as walks, open(sys.argv[2], 'w', encoding='utf-8') as results:
        for line in walks:
            walk = Walk()
            for step in json.loads(line):
                results.write(take(walk, step) + '\n')
                results.flush()
            for channel in walk.channels:
                lib.rdma_destroy_event_channel(ctypes.c_void_p(channel))


main()
