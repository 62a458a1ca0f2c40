// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LockedMemoryLimitTest {
    @Test
    void theLockedMemoryLimitIsReportedWithItsAmount() {
        String limits = """
            Limit                     Soft Limit           Hard Limit           Units
            Max file locks            unlimited            unlimited            locks
            Max locked memory         65536                8388608              bytes
            """;
        assertThat(LockedMemoryLimit.explain(1_048_576, limits))
                .contains("1048576 bytes of memory cannot be locked")
                .contains("65536 bytes")
                .contains("ulimit -l 64")
                .contains("hard limit 8388608");
    }

    @Test
    void anUnlimitedProcessIsNotAskedToRaiseItsLimit() {
        String limits = "Max locked memory         unlimited            unlimited            bytes\n";
        assertThat(LockedMemoryLimit.explain(4096, limits)).contains("unlimited").doesNotContain("ulimit");
    }

    @Test
    void aLimitThatIsHighEnoughIsNotToBeRaised() {
        String limits = "Max locked memory         4311744512           8589934592           bytes\n";
        assertThat(LockedMemoryLimit.explain(4_311_744_512L, limits))
                .contains("4311744512 bytes together")
                .contains("smaller regions")
                .doesNotContain("raise memlock");
        assertThat(LockedMemoryLimit.explain(4_311_744_513L, limits)).contains("raise memlock");
    }

    @Test
    void anUnreadableLimitIsNamedWithoutItsAmount() {
        assertThat(LockedMemoryLimit.explain(4096, "")).contains("ulimit -l");
    }
}
