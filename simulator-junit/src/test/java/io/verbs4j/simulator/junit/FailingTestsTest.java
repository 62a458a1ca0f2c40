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
        @SimulatedRdma(hosts = 0)
        void wantsNoHost() {}

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
        assertThat(failure("wantsNoHost()")).contains("hosts=0");
        assertThat(failure("losesMoreThanEverything()")).contains("loss=2.0 is not in 0..1");
    }
}
