// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.bench.NullDevice;
import io.verbs4j.rxe.RxeProviderFactory;
import io.verbs4j.tracing.Tracing;
import org.junit.jupiter.api.Test;

/// Tests that what is off costs nothing, because it is not there: no benchmark can show that as plainly.
class NothingOnTest {
    @Test
    void aFileThatIsNotTracedIsTheFileItself() {
        try (var file = new NullDevice()) {
            assertThat(Tracing.wrap(file, "none", new RxeProviderFactory().abi())).isSameAs(file);
        }
    }
}
