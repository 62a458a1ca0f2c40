// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import io.verbs4j.types.Gid;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/// An address on the simulated network, in the form of a GID: an IPv6 address, or an IPv4 address mapped into one.
///
/// @param high the first 8 bytes, big-endian
/// @param low the last 8 bytes
public record Address(long high, long low) {
    private static final long MAPPED = 0xffffL << 32;

    /// Written out, because the methods that javac adds to a record take a new JVM some ten milliseconds.
    @Override
    public boolean equals(Object other) {
        return other instanceof Address address && high == address.high && low == address.low;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(high + low);
    }

    /// Returns an IPv4 address.
    public static Address ipv4(int address) {
        return new Address(0, MAPPED | Integer.toUnsignedLong(address));
    }

    /// Converts an address from Java's form.
    public static Address of(InetAddress address) {
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        return bytes.remaining() == Integer.BYTES ? ipv4(bytes.getInt())
                : new Address(bytes.getLong(), bytes.getLong());
    }

    /// Converts the address to Java's form.
    public InetAddress toInetAddress() {
        return new Gid(high, low).toInetAddress();
    }

    /// Returns whether it is an IPv4 address.
    public boolean isIpv4() {
        return high == 0 && low >>> 32 == 0xffff;
    }

    /// Returns the IPv4 address as a number.
    public int ipv4() {
        return (int) low;
    }

    /// Returns whether it is a link-local IPv6 address, which needs no route.
    public boolean isLinkLocal() {
        return high >>> 54 == 0xfe80 >>> 6;
    }

    /// Returns whether another address is on the same network, with a prefix of 24 bits for IPv4 and 64 for IPv6.
    public boolean isOnTheNetworkOf(Address other) {
        return high == other.high && (high != 0 || low >>> Byte.SIZE == other.low >>> Byte.SIZE);
    }

    /// Returns whether it is a multicast address.
    public boolean isMulticast() {
        return isIpv4() ? ipv4() >>> 28 == 0xe : high >>> 56 == 0xff;
    }
}
