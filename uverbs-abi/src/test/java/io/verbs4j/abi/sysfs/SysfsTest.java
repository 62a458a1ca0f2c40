// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.sysfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SysfsTest {
    @TempDir private Path folder;

    private Path attribute(String text) throws IOException {
        return Files.writeString(folder.resolve("attribute"), text);
    }

    @Test
    void textHasNoWhiteSpaceAroundIt() throws IOException {
        assertThat(Sysfs.text(attribute("rxe0\n"))).isEqualTo("rxe0");
        assertThat(Sysfs.text(attribute("\n"), "none")).isEmpty();
    }

    @Test
    void whatIsNotThereIsNoError() {
        assertThat(Sysfs.text(folder.resolve("missing"))).isNull();
        assertThat(Sysfs.text(folder.resolve("missing"), "none")).isEqualTo("none");
        assertThat(Sysfs.number(folder.resolve("missing"), 5)).isEqualTo(5);
        assertThat(Sysfs.guid(folder.resolve("missing"))).isZero();
        assertThat(Sysfs.names(folder.resolve("missing"))).isEmpty();
        assertThat(Sysfs.text(folder)).as("a folder").isNull();
    }

    @Test
    void aNumberIsWhatTheTextStartsWith() throws IOException {
        assertThat(Sysfs.number(attribute("1: CA\n"), -1)).isEqualTo(1);
        assertThat(Sysfs.number(attribute("0xffff\n"), -1)).isEqualTo(0xffff);
        assertThat(Sysfs.number(attribute("6"), -1)).isEqualTo(6);
        assertThat(Sysfs.number(attribute("none\n"), -1)).isEqualTo(-1);
        assertThat(Sysfs.number(attribute(""), -1)).isEqualTo(-1);
        assertThat(Sysfs.number(attribute("99999999999"), -1)).isEqualTo(-1);
    }

    @Test
    void aGuidIsFourGroups() throws IOException {
        assertThat(Sysfs.guid(attribute("1001:38ff:fe7e:2e82\n"))).isEqualTo(0x100138fffe7e2e82L);
        assertThat(Sysfs.guid(attribute("ffff:ffff:ffff:fffe\n"))).isEqualTo(-2);
        assertThat(Sysfs.guid(attribute("1001:38ff:fe7e\n"))).isZero();
        assertThat(Sysfs.guid(attribute("wwww:38ff:fe7e:2e82\n"))).isZero();
    }

    @Test
    void namesAreOrderedByTheirNumbers() throws IOException {
        for (String name : new String[]{"uverbs10", "uverbs9", "uverbs0"}) {
            Files.createDirectory(folder.resolve(name));
        }
        assertThat(Sysfs.names(folder)).containsExactly("uverbs0", "uverbs9", "uverbs10");
    }
}
