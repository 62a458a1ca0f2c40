// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Context;
import io.verbs4j.GidSelector;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

/// Choosing the GID that a queue pair speaks from.
@DeviceTest
@Needs.EachKernel
class GidSelectorIT {
    @Test
    void prefersIpv4() {
        try (Context context = Rxe.open()) {
            var selection = GidSelector.automatic().select(context, 1);

            assertThat(selection.entry().gid()).isEqualTo(Rxe.gid(1));
            assertThat(selection.reason()).isEqualTo("the best GID there: ROCE_V2, IPv4, index 1");
        }
    }

    @Test
    void findsTheGidFromWhichAPeerIsReached() throws UnknownHostException {
        try (Context context = Rxe.open()) {
            var selection = GidSelector.forPeer(InetAddress.getByName("10.9.0.7")).select(context, 1);

            assertThat(selection.entry().gid()).isEqualTo(Rxe.gid(1));
            assertThat(selection.reason()).contains("10.9.0.1", "10.9.0.7");
        }
    }

    @Test
    void reachesAnAddressOfThisMachineFromTheNearestOne() throws UnknownHostException {
        try (Context left = Rxe.open()) {
            var toTheOther = GidSelector.forPeer(InetAddress.getByName("10.9.0.2")).select(left, 1);
            var toItself = GidSelector.forPeer(InetAddress.getByName("10.9.0.1")).select(left, 1);

            assertThat(toTheOther.entry().gid()).isEqualTo(Rxe.gid(1));
            assertThat(toTheOther.reason())
                    .isEqualTo("nearest to 10.9.0.2, an address of this machine: ROCE_V2, IPv4, index 1");
            assertThat(toItself.entry().gid()).isEqualTo(Rxe.gid(1));
        }
    }

    @Test
    void listsWhatIsThereIfThePeerIsReachedFromElsewhere() {
        try (Context context = Rxe.open()) {
            assertThatThrownBy(() -> GidSelector.forPeer(InetAddress.getLoopbackAddress()).select(context, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("127.0.0.1", "rxe0", Rxe.gid(1).toString());
        }
    }

    @Test
    void takesTheBestGidOfAnInterface() {
        try (Context context = Rxe.open()) {
            assertThat(GidSelector.forInterface("veth0").select(context, 1).entry().gid()).isEqualTo(Rxe.gid(1));
        }
    }

    @Test
    void refusesAnInterfaceThatTheDeviceIsNotOn() {
        try (Context context = Rxe.open()) {
            assertThatThrownBy(() -> GidSelector.forInterface("veth1").select(context, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("has no GID of interface veth1");
            assertThatThrownBy(() -> GidSelector.forInterface("eth99").select(context, 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("eth99");
        }
    }

    @Test
    void takesTheIndexThatIsAskedFor() {
        try (Context context = Rxe.open()) {
            var selection = GidSelector.index(0).select(context, 1);

            assertThat(selection.entry().gid().isLinkLocal()).isTrue();
            assertThat(selection.reason()).isEqualTo("index 0 was requested");
        }
    }
}
