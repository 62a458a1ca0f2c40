// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.command.DriverAbi;
import io.verbs4j.tracing.Tracing;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A trace that is asked for and cannot be made is not passed over in silence.
class DeviceListenersTest {
    @AfterEach
    void clear() {
        System.clearProperty(Tracing.PROPERTY);
    }

    @Test
    void withoutTheModuleThePropertyIsAnError() {
        System.setProperty(Tracing.PROPERTY, "calls");
        assertThatThrownBy(() -> DeviceListeners.find(List.of(), "rxe0", DriverAbi.NONE))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("verbs4j.trace=calls")
                .hasMessageContaining("put verbs4j-tracing on the module path");
    }

    @Test
    void withoutModuleAndPropertyNobodyListens() {
        assertThat(DeviceListeners.find(List.of(), "rxe0", DriverAbi.NONE)).isEmpty();
    }

    @Test
    void theModuleIsFound() {
        try (var _ = Tracing.start(_ -> {}, true)) {
            assertThat(DeviceListeners.find("rxe0", DriverAbi.NONE).orElseThrow().rings()).isPresent();
        }
        assertThat(DeviceListeners.find("rxe0", DriverAbi.NONE)).isEmpty();
    }
}
