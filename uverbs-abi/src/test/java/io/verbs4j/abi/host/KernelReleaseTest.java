// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KernelReleaseTest {
    @ParameterizedTest
    @CsvSource({"6.1.0-40-amd64,6,1,0", "6.12.107+deb13-amd64,6,12,107", "7.2,7,2,0", "6.18-rc3,6,18,0",
            "6.12.99999,6,12,0"})
    void isReadFromWhatUnameSays(String text, int major, int minor, int patch) {
        assertThat(KernelRelease.parse(text)).isEqualTo(new KernelRelease(major, minor, patch));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "6", "six.one", "99999999999.1"})
    void isOlderThanAllOthersIfItSaysNothing(String text) {
        assertThat(KernelRelease.parse(text).isBefore(1, 0)).isTrue();
    }

    @Test
    void comparesNumbersAndNotText() {
        var release = new KernelRelease(6, 12, 107);
        assertThat(release.isBefore(6, 2)).isFalse();
        assertThat(release.isBefore(6, 12)).isFalse();
        assertThat(release.isBefore(6, 12, 107)).isFalse();
        assertThat(release.isBefore(6, 12, 115)).isTrue();
        assertThat(release.isBefore(6, 2, 115)).isFalse();
        assertThat(release.isBefore(6, 13)).isTrue();
        assertThat(release.isBefore(7, 0)).isTrue();
        assertThat(release.isBefore(5, 99)).isFalse();
    }
}
