# SPDX-License-Identifier: Apache-2.0
"""Compares the output of `tools/verbs packets --json` for a capture with that of tshark, field by field."""
import ipaddress
import json
import re
import subprocess
from decimal import Decimal

from . import places
from .say import LabError

ENDINGS = ('.pcap', '.pcapng', '.cap')

LAYERS = ('frame.number', 'frame.time_epoch', 'frame.protocols', 'ip.src', 'ip.dst', 'ip.dsfield.dscp', 'ip.dsfield.ecn', 'ip.ttl',
          'ipv6.src', 'ipv6.dst', 'ipv6.tclass.dscp', 'ipv6.tclass.ecn', 'ipv6.hlim', 'vlan.id', 'ieee8021ad.id',
          'udp.srcport', 'udp.dstport', 'infiniband.grh.sgid', 'infiniband.grh.dgid', 'infiniband.grh.tclass',
          'infiniband.grh.hoplmt')
# Our names, tshark's names, and the headers that contain the fields.
FIELDS = (
    ('opcodeValue', 'infiniband.bth.opcode', 'BTH'),
    ('solicited', 'infiniband.bth.se', 'BTH'),
    ('migrated', 'infiniband.bth.m', 'BTH'),
    ('padCount', 'infiniband.bth.padcnt', 'BTH'),
    ('version', 'infiniband.bth.tver', 'BTH'),
    ('pkey', 'infiniband.bth.p_key', 'BTH'),
    ('destinationQueuePair', 'infiniband.bth.destqp', 'BTH'),
    ('ackRequest', 'infiniband.bth.a', 'BTH'),
    ('packetSequenceNumber', 'infiniband.bth.psn', 'BTH'),
    ('endToEndContext', 'infiniband.rdeth.eecnxt', 'RDETH'),
    ('qkey', 'infiniband.deth.q_key', 'DETH'),
    ('sourceQueuePair', 'infiniband.deth.srcqp', 'DETH'),
    ('virtualAddress', 'infiniband.reth.va', 'RETH'),
    ('remoteKey', 'infiniband.reth.r_key', 'RETH'),
    ('dmaLength', 'infiniband.reth.dmalen', 'RETH'),
    ('swapOrAdd', 'infiniband.atomiceth.swapdt', 'AtomicETH'),
    ('compare', 'infiniband.atomiceth.cmpdt', 'AtomicETH'),
    ('syndrome', 'infiniband.aeth.syndrome', 'AETH'),
    ('messageSequenceNumber', 'infiniband.aeth.msn', 'AETH'),
    ('original', 'infiniband.atomicacketh.origremdt', 'AtomicAckETH'),
    ('immediateData', 'infiniband.immdt', 'ImmDt'),
    ('invalidatedKey', 'infiniband.ieth', 'IETH'),
    ('icrc', 'infiniband.invariant.crc', 'ICRC'))
DC = 2
BYTES = ('infiniband.immdt', 'infiniband.ieth')
ORDER = list(dict.fromkeys(header for _, _, header in FIELDS))


def captures(folder):
    """Returns the capture files below a folder."""
    if not folder.is_dir():
        raise LabError(f'no such folder: {folder}')
    return sorted(path for path in folder.rglob('*') if path.suffix in ENDINGS and path.is_file())


def tshark_frames(path):
    """Returns the RoCE frames that tshark finds, by number, with our names of fields."""
    names = [*LAYERS, *(name for _, name, _ in FIELDS)]
    command = ['tshark', '-n', '-r', str(path), '-o', 'ip.defragment:FALSE', '-o', 'ipv6.defragment:FALSE',
               '-d', 'udp.port==8472,vxlan', '-Y', 'infiniband', '-T', 'fields', '-E', 'separator=/t',
               *(word for name in names for word in ('-e', name))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [dict(zip(names, line.split('\t'))) for line in done.stdout.splitlines()]
    return {int(line['frame.number']): read(line) for line in lines if is_roce(line)}


def is_roce(line):
    """Returns whether a tshark frame contains RoCE. tshark also treats UDP as RoCE because of the source port."""
    return not in_udp(below(line)) or line['udp.dstport'].split(',')[-1] == '4791'


def below(line):
    """Returns the protocols that carry the packet, the outermost first."""
    protocols = line['frame.protocols'].split(':')
    return protocols[:protocols.index('infiniband')]


def in_udp(protocols):
    return _last(protocols, 'udp') > _last(protocols, 'eth')


def _last(words, word):
    return len(words) - 1 - words[::-1].index(word) if word in words else -1


def read(line):
    """Converts a line of tshark to our names and values."""
    fields = layers(line)
    for ours, theirs, _ in FIELDS:
        text = line[theirs].split(',')[0]
        if text:
            fields[ours] = int(text, 16) if theirs in BYTES else int(text, 0)
            if ours in ('solicited', 'migrated', 'ackRequest'):
                fields[ours] = bool(fields[ours])
    if 'icrc' in fields:  # the lowest byte comes first
        fields['icrc'] = int.from_bytes(fields['icrc'].to_bytes(4, 'big'), 'little')
    return fields


def layers(line):
    until = below(line)

    def last(name):
        return line[name].split(',')[-1]
    first = {'vlan': iter(line['vlan.id'].split(',')), 'ieee8021ad': iter(line['ieee8021ad.id'].split(','))}
    fields = {'vlans': [int(next(first[word])) for word in until if word in first]}
    if line['frame.time_epoch']:
        fields['nanoseconds'] = int(Decimal(line['frame.time_epoch']) * 10**9)
    if in_udp(until):
        family = 'ip' if _last(until, 'ip') > _last(until, 'ipv6') else 'ipv6'
        fields.update(source=address(last(f'{family}.src')), destination=address(last(f'{family}.dst')),
                      roceVersion=2, sourcePort=int(last('udp.srcport')))
        fields['hopLimit'] = int(last('ip.ttl' if family == 'ip' else 'ipv6.hlim'))
        kind = 'ip.dsfield' if family == 'ip' else 'ipv6.tclass'
        fields.update(dscp=int(last(f'{kind}.dscp')), ecn=int(last(f'{kind}.ecn')))
    elif line['infiniband.grh.sgid']:
        traffic_class = int(last('infiniband.grh.tclass'), 0)
        fields.update(source=address(last('infiniband.grh.sgid')), destination=address(last('infiniband.grh.dgid')),
                      roceVersion=1, hopLimit=int(last('infiniband.grh.hoplmt')), dscp=traffic_class >> 2,
                      ecn=traffic_class & 3)
    return fields


def address(text):
    found = ipaddress.ip_address(text)
    return str(getattr(found, 'ipv4_mapped', None) or found)


def our_frames(path):
    """Returns the frames of our command. Fails if its standard output is not JSON."""
    done = subprocess.run([places.LAB_HOME / 'verbs', 'packets', '--json', path], capture_output=True, text=True, check=False)
    frames = {}
    for line in done.stdout.splitlines():
        try:
            fields = json.loads(line)
        except ValueError as e:
            raise LabError(f'{path}: the standard output is not JSON: {line}') from e
        fields['vlans'] = [tag['id'] for tag in fields['vlans']]
        fields['source'], fields['destination'] = address(fields['source']), address(fields['destination'])
        if fields['nanoseconds'] is None:
            del fields['nanoseconds']
        frames[fields['frame']] = fields
    if done.returncode and not done.stderr:
        raise LabError(f'{path}: exit code {done.returncode} without a reason')
    return frames


def unread(our, their):
    """Returns the headers of a packet that tshark does not decode.

    These are the headers of XRC, flush and atomic write; those of DC, unless the packet contains the first two; and the CRC, unless all
    preceding headers were decoded.
    """
    opcode = our.get('opcodeValue', 0)
    if opcode >> 5 == DC and 'opcodeValue' not in their:
        return ORDER
    known = opcode >> 5 <= 3 and opcode & 31 <= 23
    return (['ICRC'] if 'icrc' not in their else []) + ([] if known else ORDER[1:])


def differences(ours, theirs):
    """Returns a line for each difference between the frames of a capture, and the number of compared fields."""
    found, compared = [], 0
    for number in sorted(ours.keys() | theirs.keys()):
        if number not in ours or number not in theirs:
            # If a packet ends before its opcode, one of the two may report it and the other may not.
            if 'opcodeValue' in (ours.get(number) or theirs.get(number)):
                found.append(f'frame {number}: only {"we" if number in ours else "tshark"} found a RoCE packet')
            continue
        our, their = ours[number], theirs[number]
        skipped = {*unread(our, their), *missing(our)}
        names = ['nanoseconds', 'roceVersion', 'vlans', 'source', 'destination', 'dscp', 'ecn', 'hopLimit', 'sourcePort',
                 *(name for name, _, header in FIELDS if header not in skipped)]
        for name in names:
            compared += 1
            if our.get(name) != their.get(name):
                found.append(f'frame {number}: {name} is {our.get(name)}, tshark has {their.get(name)}')
    return found, compared


def missing(our):
    """Returns the headers that cannot be compared: the incomplete one, those after it, and the CRC of an incomplete packet."""
    ends = re.search(r'ends within (\w+)', our.get('problem', ''))
    headers = {'ICRC'} if 'problem' in our else set()
    if ends:
        headers |= set(ORDER) - {'BTH'} if ends[1] != 'BTH' else set(ORDER)
    return headers
