// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import java.nio.ByteBuffer;

/// Encodes the IP and UDP headers in front of a RoCE v2 packet. Addresses are numbers, so that a simulation can encode
/// headers without creating objects.
public final class DatagramHeaders {
    /// Length of an IPv4 header without options.
    public static final int IPV4_BYTES = 20;
    /// Length of an IPv6 header without extensions.
    public static final int IPV6_BYTES = 40;
    /// Length of a UDP header.
    public static final int UDP_BYTES = 8;

    private static final int UDP = 17;
    private static final int DONT_FRAGMENT = 0x4000;
    private static final int CHECKSUM_OFFSET = 10;

    private DatagramHeaders() {}

    /// Writes an IPv4 header with its checksum.
    ///
    /// @param length number of bytes after this header
    public static void putIpv4(
            ByteBuffer buffer, int source, int destination, int typeOfService, int hopLimit, int length) {
        int start = buffer.position();
        buffer.put((byte) 0x45)
                .put((byte) typeOfService)
                .putShort((short) (IPV4_BYTES + length))
                .putShort((short) 0)
                .putShort((short) DONT_FRAGMENT)
                .put((byte) hopLimit)
                .put((byte) UDP)
                .putShort((short) 0)
                .putInt(source)
                .putInt(destination);
        buffer.putShort(start + CHECKSUM_OFFSET, checksum(buffer, start));
    }

    /// Computes the checksum of an IPv4 header (RFC 1071).
    private static short checksum(ByteBuffer buffer, int start) {
        int sum = 0;
        for (int i = 0; i < IPV4_BYTES; i += Short.BYTES) {
            sum += Short.toUnsignedInt(buffer.getShort(start + i));
        }
        sum = (sum & 0xffff) + (sum >>> 16);
        return (short) ~((sum & 0xffff) + (sum >>> 16));
    }

    /// Writes the first 8 bytes of an IPv6 header, which the two addresses follow.
    ///
    /// @param length number of bytes after the whole header
    public static ByteBuffer putIpv6(
            ByteBuffer buffer, int trafficClass, int flowLabel, int hopLimit, int length) {
        return buffer.putInt(6 << 28 | trafficClass << 20 | flowLabel)
                .putShort((short) length)
                .put((byte) UDP)
                .put((byte) hopLimit);
    }

    /// Writes a UDP header without a checksum, because RoCE v2 has the invariant CRC.
    ///
    /// @param length number of bytes after this header
    public static ByteBuffer putUdp(ByteBuffer buffer, int sourcePort, int length) {
        return buffer.putShort((short) sourcePort)
                .putShort((short) RoceV2Packet.UDP_PORT)
                .putShort((short) (UDP_BYTES + length))
                .putShort((short) 0);
    }
}
