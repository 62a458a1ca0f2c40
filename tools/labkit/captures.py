# SPDX-License-Identifier: Apache-2.0
"""Creates captures of RoCE packets: all opcodes, encapsulations, file formats and kinds of damage, from a random seed."""
import random
import struct
import zlib

ROCE_PORT = 4791
ETHERNET, RAW_IP, COOKED, COOKED_2 = 1, 101, 113, 276
TYPE_IPV4, TYPE_IPV6, TYPE_ROCE = 0x0800, 0x86dd, 0x8915
MACS = bytes.fromhex('020000000001 020000000002')
# Size in bytes of the headers after the base transport header, for the 32 operations of a connected transport.
EXTENSIONS = {3: 4, 5: 4, 6: 16, 9: 4, 10: 16, 11: 20, 12: 16, 13: 4, 15: 4, 16: 4, 17: 4, 18: 12, 19: 28, 20: 28, 22: 4, 23: 4,
              28: 20, 29: 16}
ANSWERS = range(13, 19)


def extension_bytes(opcode, solicited):
    """Returns the size of the headers after the base transport header of an opcode."""
    transport, operation = opcode >> 5, opcode & 31
    own = EXTENSIONS.get(operation, 0)
    if transport == 0:
        return own
    if transport == 1:
        return own if operation < 12 else 0
    if transport == 2:  # like Wireshark for DC
        if operation == 21:
            return 8 if solicited else 24
        if operation > 21:
            return 0
        return own + (8 if operation == 17 else 12 if operation in ANSWERS else 20)
    if transport == 3:
        return {4: 8, 5: 12}.get(operation, 0)
    if transport == 5 and operation not in (21, 24, 25, 26, 27, 30, 31):
        return own + (0 if operation in ANSWERS else 4)
    return 0


def checksum(header):
    total = sum(struct.unpack(f'>{len(header) // 2}H', header))
    total = (total & 0xffff) + (total >> 16)
    return ~((total & 0xffff) + (total >> 16)) & 0xffff


class Maker:
    """Creates frames and files. The same seed creates the same ones."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    # Packets

    def transport(self, opcode=None):
        """Returns a packet from its base transport header on, without the invariant CRC."""
        chance = self.random
        opcode = chance.randrange(256) if opcode is None else opcode
        solicited = chance.random() < 0.3
        payload = chance.randbytes(chance.choice((0, 1, 2, 3, 4, 8, 60, 256, 1024)))
        pad = -len(payload) % 4
        flags = solicited << 7 | (chance.random() < 0.5) << 6 | pad << 4 | chance.choice((0, 0, 0, 1))
        return struct.pack('>BBHBBHBBH', opcode, flags, chance.choice((0xffff, 0x7fff, 1)), chance.choice((0, 0x80, 0x40)),
                           *self.split24(), chance.choice((0, 0x80)), *self.split24()) \
            + chance.randbytes(extension_bytes(opcode, solicited)) + payload + bytes(pad)

    def split24(self):
        value = self.random.choice((1, 17, self.random.randrange(1 << 24)))
        return value >> 16, value & 0xffff

    def sealed(self, ip, udp, transport):
        """Returns a packet with its invariant CRC."""
        masked = bytearray(b'\xff' * 8 + ip + udp + transport)
        if ip[0] >> 4 == 4:
            for at in (1, 8, 10, 11):
                masked[8 + at] = 0xff
        else:
            masked[8] |= 0x0f
            masked[9:12] = b'\xff' * 3
            masked[15] = 0xff
        start = 8 + len(ip) + len(udp)
        if udp:
            masked[start - 2:start] = b'\xff\xff'
        masked[start + 4] = 0xff
        return ip + udp + transport + struct.pack('<I', zlib.crc32(masked))

    def ipv4(self, length, protocol=17, options=b''):
        chance = self.random
        header = bytearray(struct.pack('>BBHHHBBH', 0x45 + len(options) // 4, chance.randrange(256),
                                       20 + len(options) + length, chance.randrange(65536), 0x4000,
                                       chance.choice((1, 64, 255)), protocol, 0)
                           + chance.randbytes(3) + b'\x01' + chance.randbytes(3) + b'\x02' + options)
        header[12], header[16] = 10, 10
        header[10:12] = struct.pack('>H', checksum(bytes(header)))
        return bytes(header)

    def ipv6(self, length, protocol=17, extensions=b''):
        chance = self.random
        first = 0 if extensions else protocol
        return struct.pack('>IHBB', 6 << 28 | chance.randrange(256) << 20 | chance.randrange(1 << 20),
                           length + len(extensions), first, chance.choice((1, 64, 255))) \
            + b'\xfe\x80' + bytes(6) + chance.randbytes(8) + b'\xfd\x00' + chance.randbytes(14) + extensions

    def roce2(self, opcode=None, version=4, **options):
        """Returns a packet of RoCE v2 from its IP header on."""
        transport = self.transport(opcode)
        length = 8 + len(transport) + 4
        udp = struct.pack('>HHHH', self.random.randrange(49152, 65536), ROCE_PORT, length, 0)
        ip = self.ipv4(length, **options) if version == 4 else self.ipv6(length, **options)
        return self.sealed(ip, udp, transport)

    def roce1(self, opcode=None):
        """Returns a packet of RoCE v1 from its global route header on."""
        transport = self.transport(opcode)
        header = bytearray(self.ipv6(len(transport) + 4, 0x1b))
        return self.sealed(bytes(header), b'', transport)

    # Encapsulations: each returns an Ethernet frame

    def plain(self, opcode=None, tags=b''):
        return MACS + tags + struct.pack('>H', TYPE_IPV4) + self.roce2(opcode)

    def plain6(self, opcode=None, tags=b''):
        return MACS + tags + struct.pack('>H', TYPE_IPV6) + self.roce2(opcode, version=6)

    def tag(self, kind):
        return struct.pack('>HH', kind, self.random.randrange(65536) | 1)

    def tagged(self):
        return self.plain(tags=self.tag(0x8100))

    def double_tagged(self):
        return self.plain6(tags=self.tag(0x88a8) + self.tag(0x8100))

    def triple_tagged(self):
        return self.plain(tags=self.tag(0x88a8) + self.tag(0x8100) + self.tag(0x8100))

    def old_double_tagged(self):
        return self.plain(tags=self.tag(0x9100) + self.tag(0x8100))

    def options(self):
        return MACS + struct.pack('>H', TYPE_IPV4) + self.roce2(options=b'\x01' * self.random.choice((4, 12, 40)))

    def extensions(self):
        chain = b'\x3c\x00\x01\x04\x00\x00\x00\x00' + b'\x11\x00\x01\x04\x00\x00\x00\x00'
        return MACS + struct.pack('>H', TYPE_IPV6) + self.roce2(version=6, extensions=chain)

    def version1(self):
        return MACS + struct.pack('>H', TYPE_ROCE) + self.roce1()

    def version1_tagged(self):
        return MACS + self.tag(0x8100) + struct.pack('>H', TYPE_ROCE) + self.roce1()

    def within(self, protocol, inner, version=4):
        """Returns a frame whose IP packet carries another protocol."""
        ip = self.ipv4(len(inner), protocol) if version == 4 else self.ipv6(len(inner), protocol)
        return MACS + struct.pack('>H', TYPE_IPV4 if version == 4 else TYPE_IPV6) + ip + inner

    def vxlan(self, port=4789, inner=None, version=4):
        inner = inner or self.random.choice((self.plain, self.plain6, self.tagged, self.version1))()
        header = struct.pack('>BxxxI', 8, self.random.randrange(1 << 24) << 8)
        body = header + inner
        return self.within(17, struct.pack('>HHHH', 50000, port, 8 + len(body), 0) + body, version)

    def vxlan_of_linux(self):
        return self.vxlan(8472)

    def vxlan_over_ipv6(self):
        return self.vxlan(version=6)

    def gre_ethernet(self):
        return self.within(47, struct.pack('>HH', 0, 0x6558) + self.plain())

    def gre_ip(self):
        return self.within(47, struct.pack('>HHI', 0x2000, TYPE_IPV4, 7) + self.roce2())

    def erspan1(self):
        return self.within(47, struct.pack('>HH', 0, 0x88be) + self.plain())

    def erspan2(self):
        header = struct.pack('>HHI', 1 << 12 | 9, self.random.randrange(1 << 10), 5)
        return self.within(47, struct.pack('>HHI', 0x1000, 0x88be, 3) + header + self.plain6())

    def erspan3(self, extra=False):
        header = struct.pack('>HHIHH', 2 << 12 | 9, self.random.randrange(1 << 10), 77, 0, extra)
        return self.within(47, struct.pack('>HHI', 0x1000, 0x22eb, 3) + header + (bytes(8) if extra else b'') + self.plain())

    def erspan3_of_a_platform(self):
        return self.erspan3(True)

    def ip_in_ip(self):
        return self.within(4, self.roce2())

    def ipv6_in_ipv4(self):
        return self.within(41, self.roce2(version=6))

    ENCAPSULATIONS = (plain, plain6, tagged, double_tagged, triple_tagged, old_double_tagged, options, extensions, version1,
                      version1_tagged, vxlan, vxlan_of_linux, vxlan_over_ipv6, gre_ethernet, gre_ip, erspan1, erspan2, erspan3,
                      erspan3_of_a_platform, ip_in_ip, ipv6_in_ipv4)

    def other(self):
        """Returns a frame without RoCE."""
        return self.random.choice((
            lambda: MACS + b'\x08\x06' + bytes.fromhex('0001080006040001') + bytes(20),
            lambda: self.within(6, struct.pack('>HHIIHHHH', 4791, 80, 1, 2, 0x5010, 100, 0, 0)),
            lambda: self.within(17, struct.pack('>HHHH', 4791, 53, 8, 0)),
            lambda: MACS + b'\x88\xcc' + bytes(30)))()

    # Files

    def stamp(self):
        return 1_700_000_000_000_000_000 + self.random.randrange(10**12)

    def pcap(self, frames, link_type=ETHERNET, order='<', nanoseconds=False):
        """Returns a file. A frame is given as bytes, or as bytes and original length."""
        file = struct.pack(order + 'IHHIIII', 0xa1b23c4d if nanoseconds else 0xa1b2c3d4, 2, 4, 0, 0, 262144, link_type)
        for frame, original in map(measured, frames):
            seconds, fraction = divmod(self.stamp(), 10**9)
            file += struct.pack(order + 'IIII', seconds, fraction if nanoseconds else fraction // 1000, len(frame), original) + frame
        return file

    def pcapng(self, frames, order='<', simple=False):
        """Returns a file in pcapng format with three interfaces of different clocks, or with simple packet blocks."""
        def block(kind, body):
            body += bytes(-len(body) % 4)
            return struct.pack(order + 'II', kind, len(body) + 12) + body + struct.pack(order + 'I', len(body) + 12)

        def option(code, value):
            return struct.pack(order + 'HH', code, len(value)) + value + bytes(-len(value) % 4)
        file = block(0x0a0d0d0a, struct.pack(order + 'IHHq', 0x1a2b3c4d, 1, 0, -1))
        clocks = [(b'', 10**6, 0), (option(9, b'\x09'), 10**9, 0),
                  (option(9, b'\x94') + option(14, struct.pack(order + 'q', 1000)), 1 << 20, 1000)]
        for options, _, _ in clocks[:1 if simple else 3]:
            file += block(1, struct.pack(order + 'HHI', ETHERNET, 0, 0) + options + (option(0, b'') if options else b''))
        for frame, original in map(measured, frames):
            if simple:
                file += block(3, struct.pack(order + 'I', original) + frame)
                continue
            number = self.random.randrange(3)
            _, units, offset = clocks[number]
            time = (self.stamp() - offset * 10**9) * units // 10**9
            file += block(6, struct.pack(order + 'IIIII', number, time >> 32, time & 0xffffffff, len(frame), original) + frame)
        return file

    def formats(self, frames):
        """Yields names and files with Ethernet frames in each format."""
        yield 'pcap', self.pcap(frames)
        yield 'pcap-big-nanoseconds', self.pcap(frames, order='>', nanoseconds=True)
        yield 'pcapng', self.pcapng(frames)
        yield 'pcapng-big', self.pcapng(frames, order='>')
        yield 'pcapng-simple', self.pcapng(frames, simple=True)

    # Damage: each takes a frame and returns it with its original length

    def snapped(self, frame):
        return frame[:self.random.randrange(14, len(frame) + 1)], len(frame)

    def cut_by_an_adapter(self, frame):
        cut = frame[:self.random.randrange(14, len(frame) + 1)]
        return cut, len(cut)

    def changed(self, frame):
        """Changes bytes after the addresses and lengths: from the end of the UDP ports."""
        frame = bytearray(frame)
        for _ in range(self.random.randrange(1, 4)):
            frame[self.random.randrange(min(40, len(frame) - 1), len(frame))] = self.random.randrange(256)
        return bytes(frame), len(frame)

    def padded(self, frame):
        frame += bytes(self.random.randrange(1, 20))
        return frame, len(frame)

    def longer_udp(self, frame):
        frame = bytearray(frame)
        frame[38:40] = struct.pack('>H', len(frame) - 34 + self.random.randrange(1, 500))
        return bytes(frame), len(frame)

    def shorter_udp(self, frame):
        frame = bytearray(frame)
        frame[38:40] = struct.pack('>H', self.random.randrange(8, len(frame) - 33))
        return bytes(frame), len(frame)

    def longer_ip(self, frame):
        frame = bytearray(frame)
        frame[16:18] = struct.pack('>H', len(frame) - 14 + self.random.randrange(1, 500))
        return bytes(frame), len(frame)

    def fragment(self, frame):
        frame = bytearray(frame)
        frame[20:22] = struct.pack('>H', self.random.choice((0x2000, 0x2010, 0x0010)))
        return bytes(frame), len(frame)

    DAMAGES = (snapped, cut_by_an_adapter, changed, padded, longer_udp, shorter_udp, longer_ip, fragment)

    def all(self):
        """Yields names and files: opcodes, encapsulations in each format, cooked and raw frames, damage."""
        for first in range(0, 256, 8):
            yield f'opcodes-{first:02x}', self.pcap([self.plain(opcode) for opcode in range(first, first + 8) for _ in range(3)])
        for make in self.ENCAPSULATIONS:
            for name, file in self.formats([make(self) for _ in range(4)] + [self.other()]):
                yield f'{make.__name__}-{name}', file
        for make, kind in ((self.plain, TYPE_IPV4), (self.plain6, TYPE_IPV6)):
            bodies = [make()[14:] for _ in range(4)]
            cooked = struct.pack('>HHH8sH', 0, 1, 6, bytes(8), kind)
            cooked_2 = struct.pack('>HHIHBB8s', kind, 0, 2, 1, 0, 6, bytes(8))
            yield f'{make.__name__}-cooked', self.pcap([cooked + body for body in bodies], COOKED)
            yield f'{make.__name__}-cooked-2', self.pcap([cooked_2 + body for body in bodies], COOKED_2)
            yield f'{make.__name__}-raw', self.pcap(bodies, RAW_IP)
        for damage in self.DAMAGES:
            for number in range(8):
                make = self.random.choice(self.ENCAPSULATIONS[:13]) if damage in self.DAMAGES[:2] else Maker.plain
                frames = [damage(self, make(self)) for _ in range(8)]
                yield f'{damage.__name__}-{number}', self.pcapng(frames) if number % 2 else self.pcap(frames)


def measured(frame):
    return frame if isinstance(frame, tuple) else (frame, len(frame))
