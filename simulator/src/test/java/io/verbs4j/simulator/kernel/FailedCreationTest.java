// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.types.Errno;
import org.junit.jupiter.api.Test;

/// A command whose object cannot be created, for example because its rings need too much memory.
class FailedCreationTest {
    private final ObjectTable table = new ObjectTable();

    @Test
    void leavesTheUsedObjectsFree() {
        var domain = new KernelObject.Domain();
        table.add(domain);
        int result = Refusal.resultOf(() -> {
            var _ = new KernelObject.Receives(1, domain);
            throw new OutOfMemoryError("for the ring");
        });
        assertThat(result).isEqualTo(-Errno.ENOMEM);
        assertThat(domain.isUsed()).isFalse();
        int handle = table.add(new KernelObject.Receives(2, domain));
        assertThat(domain.isUsed()).isTrue();
        table.remove(handle);
        assertThat(domain.isUsed()).isFalse();
    }
}
