// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// In each family, the wildcard and a missing address have the same meaning as for the JDK's channels. Other addresses
/// are refused.
class SocketAddressesTest {
    private static InetSocketAddress address(String literal) {
        return new InetSocketAddress(InetAddress.ofLiteral(literal), 7);
    }

    @ParameterizedTest
    @CsvSource({
            "0.0.0.0,,         127.0.0.1:7",
            "0.0.0.0, INET,    127.0.0.1:7",
            "0.0.0.0, INET6,   127.0.0.1:7",
            "::,,              [0:0:0:0:0:0:0:1]:7",
            "::,      INET6,   [0:0:0:0:0:0:0:1]:7",
            "10.9.0.2,,        10.9.0.2:7",
            "10.9.0.2, INET,   10.9.0.2:7",
            "fd00::2, INET6,   [fd00:0:0:0:0:0:0:2]:7",
    })
    void theWildcardIsThisHostToConnectTo(String literal, @Nullable StandardProtocolFamily family, String expected) {
        assertThat(SocketAddresses.text(SocketAddresses.remote(address(literal), family))).isEqualTo(expected);
    }

    @Test
    void noAddressIsTheWildcardOfTheFamilyToBindTo() {
        assertThat(SocketAddresses.local(null, StandardProtocolFamily.INET))
                .isEqualTo(new InetSocketAddress(InetAddress.ofLiteral("0.0.0.0"), 0));
        assertThat(SocketAddresses.local(null, StandardProtocolFamily.INET6))
                .isEqualTo(new InetSocketAddress(InetAddress.ofLiteral("::"), 0));
        assertThat(SocketAddresses.local(null, null)).isEqualTo(new InetSocketAddress(0));
        assertThat(SocketAddresses.local(address("10.9.0.2"), null)).isEqualTo(address("10.9.0.2"));
    }

    @Test
    void theWildcardToConnectFromIsOfThePeersFamily() {
        assertThat(SocketAddresses.source(address("::"), address("10.9.0.2"))).isEqualTo(address("0.0.0.0"));
        assertThat(SocketAddresses.source(address("0.0.0.0"), address("fd00::2"))).isEqualTo(address("::"));
        assertThat(SocketAddresses.source(address("10.9.0.1"), address("fd00::2"))).isEqualTo(address("10.9.0.1"));
    }

    @Test
    void addressesThatAChannelCannotHaveAreRefused() {
        var unresolved = InetSocketAddress.createUnresolved("nowhere.example", 7);
        assertThatThrownBy(() -> SocketAddresses.remote(unresolved, null))
                .isInstanceOf(UnresolvedAddressException.class);
        assertThatThrownBy(() -> SocketAddresses.local(unresolved, null))
                .isInstanceOf(UnresolvedAddressException.class);
        assertThatThrownBy(() -> SocketAddresses.remote(UnixDomainSocketAddress.of("/run/x"), null))
                .isInstanceOf(UnsupportedAddressTypeException.class);
        assertThatThrownBy(() -> SocketAddresses.local(address("fd00::2"), StandardProtocolFamily.INET))
                .isInstanceOf(UnsupportedAddressTypeException.class);
    }
}
