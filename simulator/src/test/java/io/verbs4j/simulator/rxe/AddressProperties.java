// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/// An address has the same properties as the JDK's address.
class AddressProperties {
    /// Bytes at which the kinds of addresses begin and end come more often.
    @Provide
    Arbitrary<Byte> octets() {
        return Arbitraries.oneOf(
                Arbitraries.bytes(),
                Arbitraries.of(0xff, 0xfe, 0x80, 0xbf, 0xc0, 0x7f, 0xe0, 0xef, 0xf0, 0xdf, 0).map(Integer::byteValue));
    }

    private static InetAddress address(byte[] bytes) throws UnknownHostException {
        return InetAddress.getByAddress(bytes);
    }

    @Property
    void ofIpv4(@ForAll("four") byte[] bytes, @ForAll("four") byte[] others) throws UnknownHostException {
        InetAddress java = address(bytes);
        Address ours = Address.of(java);
        assertThat(ours.isIpv4()).isTrue();
        assertThat(ours.toInetAddress()).isEqualTo(java);
        assertThat(Address.ipv4(ours.ipv4())).isEqualTo(ours);
        assertThat(ours.isMulticast()).isEqualTo(java.isMulticastAddress());
        assertThat(ours.isLinkLocal()).isFalse();
        boolean near = Arrays.equals(bytes, 0, 3, others, 0, 3);
        assertThat(ours.isOnTheNetworkOf(Address.of(address(others)))).isEqualTo(near);
        byte[] neighbour = bytes.clone();
        neighbour[3] = others[3];
        assertThat(ours.isOnTheNetworkOf(Address.of(address(neighbour)))).isTrue();
    }

    @Property
    void ofIpv6(@ForAll("sixteen") byte[] bytes, @ForAll("sixteen") byte[] others) throws UnknownHostException {
        InetAddress java = address(bytes);
        if (!(java instanceof Inet6Address)) {
            return; // a mapped IPv4 address
        }
        Address ours = Address.of(java);
        assertThat(ours.isIpv4()).isFalse();
        assertThat(ours.toInetAddress()).isEqualTo(java);
        assertThat(ours.isMulticast()).isEqualTo(java.isMulticastAddress());
        assertThat(ours.isLinkLocal()).isEqualTo(java.isLinkLocalAddress());
        boolean near = Arrays.equals(bytes, 0, 8, others, 0, 8);
        assertThat(ours.isOnTheNetworkOf(Address.of(address(others)))).isEqualTo(near && ours.high() != 0
                || near && Arrays.equals(bytes, 0, 15, others, 0, 15));
        byte[] neighbour = bytes.clone();
        System.arraycopy(others, 8, neighbour, 8, 8);
        if (ours.high() != 0) {
            assertThat(ours.isOnTheNetworkOf(Address.of(address(neighbour)))).isTrue();
        }
    }

    @Provide
    Arbitrary<byte[]> four() {
        return octets().array(byte[].class).ofSize(4);
    }

    @Provide
    Arbitrary<byte[]> sixteen() {
        return octets().array(byte[].class).ofSize(16);
    }
}
