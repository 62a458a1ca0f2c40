# SPDX-License-Identifier: Apache-2.0
import struct
import tempfile
import unittest
import zlib
from pathlib import Path

from .. import captures, dissection
from ..say import LabError

LINE = {name: '' for name in dissection.LAYERS} | {name: '' for _, name, _ in dissection.FIELDS} | {
    'frame.number': '3', 'frame.time_epoch': '1700000000.123456789', 'frame.protocols': 'eth:ethertype:vlan:ethertype:ip:udp:infiniband',
    'ip.src': '10.9.0.1', 'ip.dst': '10.9.0.2', 'ip.dsfield.dscp': '26', 'ip.dsfield.ecn': '1', 'ip.ttl': '64',
    'vlan.id': '5', 'udp.srcport': '49152', 'udp.dstport': '4791', 'infiniband.bth.opcode': '5', 'infiniband.bth.se': '1',
    'infiniband.bth.m': '0', 'infiniband.bth.padcnt': '3', 'infiniband.bth.tver': '0', 'infiniband.bth.p_key': '65535',
    'infiniband.bth.destqp': '0x000011', 'infiniband.bth.a': '1', 'infiniband.bth.psn': '9',
    'infiniband.immdt': 'deadbeef,deadbeef', 'infiniband.invariant.crc': '0x12345678'}
OURS = {
    'frame': 3, 'nanoseconds': 1700000000123456789, 'roceVersion': 2, 'vlans': [5], 'source': '10.9.0.1', 'destination': '10.9.0.2',
    'dscp': 26, 'ecn': 1, 'hopLimit': 64, 'sourcePort': 49152, 'opcodeValue': 5, 'solicited': True, 'migrated': False, 'padCount': 3,
    'version': 0, 'pkey': 65535, 'destinationQueuePair': 17, 'ackRequest': True, 'packetSequenceNumber': 9,
    'immediateData': 0xdeadbeef, 'icrc': 0x78563412}


class Packets(unittest.TestCase):
    def differences(self, ours, line=None):
        return dissection.differences({3: ours}, {3: dissection.read(line or LINE)})[0]

    def test_the_same_fields_are_no_difference(self):
        found, compared = dissection.differences({3: OURS}, {3: dissection.read(LINE)})
        self.assertEqual(found, [])
        self.assertGreater(compared, 25)

    def test_each_field_is_compared(self):
        for name in OURS.keys() - {'frame'}:
            self.assertEqual(len(self.differences(OURS | {name: -1})), 1, name)
        self.assertEqual(self.differences(OURS | {'qkey': 1}), ['frame 3: qkey is 1, tshark has None'])

    def test_a_packet_that_only_one_of_both_finds_is_a_difference(self):
        self.assertEqual(dissection.differences({1: OURS}, {})[0], ['frame 1: only we found a RoCE packet'])
        self.assertEqual(dissection.differences({}, {1: OURS})[0], ['frame 1: only tshark found a RoCE packet'])
        start = {'source': '10.9.0.1', 'problem': 'ends within BTH'}
        self.assertEqual(dissection.differences({1: start}, {2: {'vlans': []}})[0], [])

    def test_headers_that_tshark_does_not_read_are_no_difference(self):
        self.assertEqual(self.differences(OURS, LINE | {'infiniband.invariant.crc': ''}), [])
        xrc = LINE | {'infiniband.bth.opcode': '0xa5', 'infiniband.immdt': '', 'infiniband.invariant.crc': ''}
        self.assertEqual(self.differences(OURS | {'opcodeValue': 0xa5}, xrc), [])
        self.assertEqual(self.differences(OURS | {'opcodeValue': 0xa5, 'pkey': 1}, xrc), ['frame 3: pkey is 1, tshark has 65535'])

    def test_of_a_cut_packet_what_is_there_is_compared(self):
        cut = {name: value for name, value in OURS.items() if name not in ('immediateData', 'icrc')}
        self.assertEqual(self.differences(cut | {'problem': '60 of 90 bytes captured, ends within ImmDt'}), [])
        self.assertEqual(len(self.differences(cut | {'problem': '60 of 90 bytes captured'})), 1)
        self.assertEqual(len(self.differences(cut | {'pkey': 1, 'problem': '60 of 90, ends within ImmDt'})), 1)

    def test_layers_are_the_innermost_ones(self):
        inner = LINE | {'frame.protocols': 'eth:ethertype:ip:udp:vxlan:eth:ethertype:vlan:ethertype:ip:udp:infiniband',
                        'ip.src': '1.1.1.1,10.9.0.1', 'ip.dst': '1.1.1.2,10.9.0.2', 'ip.dsfield.dscp': '0,26', 'ip.dsfield.ecn': '0,1',
                        'ip.ttl': '9,64', 'udp.srcport': '7,49152', 'udp.dstport': '4789,4791'}
        self.assertEqual(self.differences(OURS, inner), [])
        double = LINE | {'frame.protocols': 'eth:ethertype:ieee8021ad:ethertype:vlan:ethertype:ip:udp:infiniband', 'ieee8021ad.id': '7'}
        self.assertEqual(self.differences(OURS | {'vlans': [7, 5]}, double), [])
        old = LINE | {'frame.protocols': 'eth:ethertype:infiniband', 'infiniband.grh.sgid': '::ffff:10.9.0.1',
                      'infiniband.grh.dgid': 'fe80::2', 'infiniband.grh.tclass': '0x0069', 'infiniband.grh.hoplmt': '64'}
        expected = OURS | {'roceVersion': 1, 'vlans': [], 'destination': 'fe80::2'}
        del expected['sourcePort']
        self.assertEqual(self.differences(expected, old), [])

    def test_the_port_of_the_sender_makes_no_roce(self):
        self.assertTrue(dissection.is_roce(LINE))
        self.assertFalse(dissection.is_roce(LINE | {'udp.srcport': '4791', 'udp.dstport': '53'}))

    def test_captures_are_those_below_the_folder(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / 'sub').mkdir()
            for file in ('a.pcap', 'sub/b.pcapng', 'c.txt'):
                (folder / file).touch()
            self.assertEqual([path.name for path in dissection.captures(folder)], ['a.pcap', 'b.pcapng'])
        with self.assertRaises(LabError):
            dissection.captures(folder)

    def test_made_captures_are_many_different_and_the_same_again(self):
        first, again, other = (dict(captures.Maker(seed).all()) for seed in (1, 1, 2))
        self.assertGreaterEqual(len(first), 200)
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)
        opcodes = {file[24 + at + 16 + 42] for name, file in first.items() if name.startswith('opcodes') for at in records(file)}
        self.assertEqual(opcodes, set(range(256)))

    def test_the_invariant_crc_is_that_of_the_specification(self):
        # What routers may change counts as ones.
        made = captures.Maker(1).sealed(bytes.fromhex('4500002000004000401100000a0900010a090002'),
                                        bytes.fromhex('c00012b7000c0000'), bytes.fromhex('0440ffff0000001180000005'))
        masked = bytes(8 * [255]) + bytes.fromhex('45ff00200000 4000ff11ffff0a0900010a090002c00012b7000cffff0440ffffff00001180000005')
        self.assertEqual(made[-4:], struct.pack('<I', zlib.crc32(masked)))


def records(file):
    """Returns where the frames' records begin, behind the file's header."""
    at = 0
    while 24 + at < len(file):
        yield at
        at += 16 + struct.unpack_from('<I', file, 24 + at + 8)[0]


if __name__ == '__main__':
    unittest.main()
