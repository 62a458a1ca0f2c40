// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.types.Access;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/// Runs tests that must fail, and checks their failures.
class FailingTestsTest {
    /// The build does not run this class by itself.
    @SimulatedRdma(devices = 1)
    static class Wrong {
        @Test
        void leavesAContextOpen(Device device) {
            Context context = device.open();
            context.allocateProtectionDomain().allocate(4096, Access.LOCAL_WRITE);
        }

        @Test
        void failsItself(Device device) {
            device.open();
            throw new IllegalArgumentException("of its own");
        }

        @Test
        void wantsMoreThanThereIs(Device first, Device second) {
            assertThat(first).isNotEqualTo(second);
        }

        @Test
        @SimulatedRdma(hosts = 2, devices = 2)
        void leavesContextsOpenOnTwoHosts(Device first, Device second, Device third) {
            first.open();
            third.open();
            third.open();
        }

        @Test
        @SimulatedRdma(hosts = 0)
        void wantsNoHost() {}

        @Test
        @SimulatedRdma(devices = -1)
        void wantsLessThanNoDevice() {}

        @Test
        @SimulatedRdma(loss = 2)
        void losesMoreThanEverything() {}
    }

    private static String failure(String method) {
        var listener = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(List.of(selectMethod(Wrong.class.getName() + "#" + method)))
                                .build(),
                        listener);
        assertThat(listener.getSummary().getTestsFoundCount()).isOne();
        return listener.getSummary().getFailures().getFirst().getException().getMessage();
    }

    private static final String DEVICE = "(io.verbs4j.Device)";

    @Test
    void aTestThatLeavesAContextOpenFailsAndNamesWhatIsLeft() {
        assertThat(failure("leavesAContextOpen" + DEVICE))
                .startsWith("the test has not closed: 1 context of rxe0")
                .contains("PD", "MR");
    }

    @Test
    void whatIsLeftIsCountedByDeviceAndHost() {
        assertThat(failure("leavesContextsOpenOnTwoHosts(" + "io.verbs4j.Device, ".repeat(2) + "io.verbs4j.Device)"))
                .isEqualTo("the test has not closed: 1 context of rxe0 of host0, 2 contexts of rxe0 of host1");
    }

    @Test
    void aTestThatFailsKeepsItsOwnFailure() {
        assertThat(failure("failsItself" + DEVICE)).isEqualTo("of its own");
    }

    @Test
    void aParameterThatHasNothingToGetSaysSo() {
        assertThat(failure("wantsMoreThanThereIs(io.verbs4j.Device, io.verbs4j.Device)"))
                .contains("parameter 2 of type Device", "the network has only 1", "@SimulatedRdma");
    }

    @Test
    void wishesThatCannotBeAreRefusedByName() {
        assertThat(failure("wantsNoHost()")).contains("hosts=0 of @SimulatedRdma is less than 1");
        assertThat(failure("wantsLessThanNoDevice()")).contains("devices=-1 of @SimulatedRdma is less than 0");
        assertThat(failure("losesMoreThanEverything()")).contains("loss=2.0 is not in 0..1");
    }
}
