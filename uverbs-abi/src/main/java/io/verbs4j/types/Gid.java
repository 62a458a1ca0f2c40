// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/// A global identifier: 128 bits that identify a port (`union ibv_gid`; IBA vol. 1, 4.1.1).
///
/// On RoCE v2, a GID is an IPv6 address, or an IPv4 address in mapped form (`::ffff:a.b.c.d`).
///
/// @param subnetPrefix the first 8 bytes, as a big-endian number
/// @param interfaceId the last 8 bytes, as a big-endian number
public record Gid(long subnetPrefix, long interfaceId) {
    /// Length of a GID in bytes.
    public static final int BYTES = 16;

    /// The all-zero GID, which marks an empty table entry.
    public static final Gid ZERO = new Gid(0, 0);

    private static final long IPV4_MAPPED = 0x0000_ffff_0000_0000L;
    private static final HexFormat HEX = HexFormat.of();

    /// Returns the GID with the given 16 bytes, in network order.
    ///
    /// @throws IllegalArgumentException if there are not 16 bytes
    public static Gid of(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException("a GID has 16 bytes: length=" + bytes.length);
        }
        var buffer = ByteBuffer.wrap(bytes);
        return new Gid(buffer.getLong(), buffer.getLong());
    }

    /// Returns the RoCE v2 GID of an IP address: the IPv6 address itself, or the mapped IPv4 address.
    public static Gid of(InetAddress address) {
        byte[] bytes = address.getAddress();
        return bytes.length == 4
                ? new Gid(0, IPV4_MAPPED | (ByteBuffer.wrap(bytes).getInt() & 0xffff_ffffL))
                : of(bytes);
    }

    /// Parses the form of sysfs and of [#toString()]: eight groups of four hexadecimal digits.
    ///
    /// @throws IllegalArgumentException if the text has another form
    public static Gid parse(String text) {
        String[] groups = text.strip().split(":", -1);
        if (groups.length != 8 || !Arrays.stream(groups).allMatch(group -> group.length() == 4)) {
            throw new IllegalArgumentException("a GID is eight groups of four hexadecimal digits: gid=" + text);
        }
        return ofHex(String.join("", groups));
    }

    /// Parses 32 hexadecimal digits, the form that the ping-pong programs of rdma-core exchange.
    ///
    /// @throws IllegalArgumentException if the text has another form
    public static Gid ofHex(String digits) {
        if (digits.length() != 2 * BYTES) {
            throw new IllegalArgumentException("a GID has 32 hexadecimal digits: gid=" + digits);
        }
        return of(HEX.parseHex(digits));
    }

    /// Returns the 16 bytes in network order.
    public byte[] toBytes() {
        return ByteBuffer.allocate(BYTES)
                .putLong(subnetPrefix)
                .putLong(interfaceId)
                .array();
    }

    /// Returns 32 lower-case hexadecimal digits, the form that the ping-pong programs of rdma-core exchange.
    public String toHex() {
        return HEX.formatHex(toBytes());
    }

    /// Returns whether all bits are zero.
    public boolean isZero() {
        return (subnetPrefix | interfaceId) == 0;
    }

    /// Returns whether this is an IPv4 address mapped into a GID (`::ffff:a.b.c.d`).
    public boolean isIpv4Mapped() {
        return subnetPrefix == 0 && (interfaceId & ~0xffff_ffffL) == IPV4_MAPPED;
    }

    /// Returns whether this is an IPv6 link-local address (`fe80::/10`).
    public boolean isLinkLocal() {
        return subnetPrefix >>> 54 == 0xfe80 >>> 6;
    }

    /// Returns whether this identifies a multicast group: `ff00::/8`, or a mapped IPv4 multicast address.
    public boolean isMulticast() {
        return subnetPrefix >>> 56 == 0xff || (isIpv4Mapped() && (interfaceId >>> 28 & 0xf) == 0xe);
    }

    /// Returns the GID as an IP address; a mapped address becomes an IPv4 address.
    public InetAddress toInetAddress() {
        try {
            return InetAddress.getByAddress(toBytes());
        } catch (UnknownHostException e) {
            throw new AssertionError("16 bytes are always an address", e);
        }
    }

    /// Returns eight groups of four hexadecimal digits, as in sysfs.
    @Override
    public String toString() {
        String hex = toHex();
        var text = new StringBuilder(39);
        for (int i = 0; i < hex.length(); i += 4) {
            text.append(i == 0 ? "" : ":").append(hex, i, i + 4);
        }
        return text.toString();
    }
}
