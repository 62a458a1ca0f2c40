// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;

class GidProperties {
    @Property
    void everyNotationGivesTheSameGidBack(@ForAll long prefix, @ForAll long id) {
        var gid = new Gid(prefix, id);
        assertThat(Gid.parse(gid.toString())).isEqualTo(gid);
        assertThat(Gid.ofHex(gid.toHex())).isEqualTo(gid);
        assertThat(Gid.of(gid.toBytes())).isEqualTo(gid);
    }

    @Property
    void anIpv4AddressIsMappedAndComesBack(@ForAll @Size(4) byte[] bytes) throws UnknownHostException {
        InetAddress address = InetAddress.getByAddress(bytes);
        Gid gid = Gid.of(address);
        assertThat(gid.isIpv4Mapped()).isTrue();
        assertThat(gid.toInetAddress()).isEqualTo(address);
        assertThat(gid.isMulticast()).isEqualTo(address.isMulticastAddress());
    }

    @Example
    void aGidIsWrittenAsInSysfs() throws UnknownHostException {
        Gid gid = Gid.of(InetAddress.getByName("10.9.0.1"));
        assertThat(gid).hasToString("0000:0000:0000:0000:0000:ffff:0a09:0001");
        assertThat(gid.toHex()).isEqualTo("00000000000000000000ffff0a090001");
    }

    @Example
    void kindsOfGidsAreDistinct() {
        assertThat(Gid.parse("fe80:0000:0000:0000:0000:0000:0000:0001").isLinkLocal()).isTrue();
        assertThat(Gid.parse("febf:0000:0000:0000:0000:0000:0000:0001").isLinkLocal()).isTrue();
        assertThat(Gid.parse("fec0:0000:0000:0000:0000:0000:0000:0001").isLinkLocal()).isFalse();
        assertThat(Gid.parse("ff12:0000:0000:0000:0000:0000:0000:0001").isMulticast()).isTrue();
        assertThat(Gid.ZERO.isZero()).isTrue();
        assertThat(Gid.ZERO.isIpv4Mapped()).isFalse();
    }

    @Example
    void otherTextsAreRefusedWithTheirText() {
        for (String text : new String[]{"", "::1", "fe80:0:0:0:0:0:0:1", "zzzz:0000:0000:0000:0000:0000:0000:0001"}) {
            assertThatThrownBy(() -> Gid.parse(text)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> Gid.ofHex("00")).hasMessageContaining("gid=00");
        assertThatThrownBy(() -> Gid.of(new byte[4])).hasMessageContaining("length=4");
    }
}
