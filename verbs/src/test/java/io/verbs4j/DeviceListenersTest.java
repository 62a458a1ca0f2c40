// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.command.DriverAbi;
import io.verbs4j.abi.uapi.RdmaDriver;
import io.verbs4j.rxe.FakeDevice;
import io.verbs4j.rxe.RxeProviderFactory;
import io.verbs4j.spi.DeviceListener;
import io.verbs4j.tests.support.Forwarding;
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
    void aListenerThatFailsLeavesNoFileOpen() {
        var opened = new FakeDevice();
        var failure = new IllegalArgumentException("the trace is invalid");
        DeviceListener failing = Forwarding.of(DeviceListener.class, (_, _, _) -> {
            throw failure;
        });
        Device device = OpenFile.device(RdmaDriver.RXE, 2);
        assertThatThrownBy(() -> device.open(opened, new RxeProviderFactory(), failing)).isSameAs(failure);
        assertThat(opened.isClosed()).isTrue();
        opened.free();
    }

    @Test
    void theModuleIsFound() {
        try (var _ = Tracing.start(_ -> {}, true)) {
            assertThat(DeviceListeners.find("rxe0", DriverAbi.NONE).orElseThrow().rings()).isPresent();
        }
        assertThat(DeviceListeners.find("rxe0", DriverAbi.NONE)).isEmpty();
    }
}
