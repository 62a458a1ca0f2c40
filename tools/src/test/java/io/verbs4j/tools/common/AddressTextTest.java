// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.common;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.types.Gid;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressTextTest {
    /// The right column is what glibc 2.36 says.
    @ParameterizedTest
    @CsvSource({
            "00000000000000000000000000000000, ::",
            "00000000000000000000000000000001, ::1",
            "00000000000000000000ffff0a090001, ::ffff:10.9.0.1",
            "0000000000000000000000000a090001, ::10.9.0.1",
            "00000000000000000000000000010002, ::0.1.0.2",
            "fe8000000000000078c752fffe7a0ded, fe80::78c7:52ff:fe7a:ded",
            "20010db8000000000001000000000001, 2001:db8::1:0:0:1",
            "20010db8000000010001000100010001, 2001:db8:0:1:1:1:1:1",
            "ff020000000000000000000000000000, ff02::",
            "00000001000000000000000000000001, 0:1::1",
            "00010002000300040005000600070008, 1:2:3:4:5:6:7:8",
            "00000000000000000001000000000001, ::1:0:0:1",
            "fffffffffffffffffffffffffffffffe, ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe"
    })
    void gidsAreWrittenAsByTheCLibrary(String hex, String text) {
        assertThat(AddressText.of(Gid.ofHex(hex))).isEqualTo(text);
    }

    @Test
    void internetAddressesAreWrittenShort() throws UnknownHostException {
        assertThat(AddressText.of(InetAddress.getByName("10.9.0.1"))).isEqualTo("10.9.0.1");
        assertThat(AddressText.of(InetAddress.getByName("fe80:0:0:0:0:0:0:1"))).isEqualTo("fe80::1");
    }
}
