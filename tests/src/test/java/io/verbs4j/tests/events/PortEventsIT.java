// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AsyncEvent;
import io.verbs4j.Context;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.TemporaryRxe;
import io.verbs4j.types.AsyncEventType;
import io.verbs4j.types.Gid;
import io.verbs4j.types.GidEntry;
import io.verbs4j.types.LinkLayer;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.PortState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Events of a port: its link, its addresses.
@DeviceTest
@Covers({"ibv_get_async_event", "ibv_ack_async_event"})
@Needs.EachKernel
class PortEventsIT {
    private static final Gid ADDED = new Gid(0, 0x0000_ffff_0a09_4663L); // 10.9.70.99

    private final TemporaryRxe device = new TemporaryRxe();
    private final Context context = device.open();
    private final ExpectedEvents events = ExpectedEvents.of(context);

    @AfterEach
    void close() {
        try (TemporaryRxe _ = device) {
            context.close();
        }
    }

    @Test
    void reportThatTheLinkWentDownAndCameUp() throws InterruptedException {
        device.setLink("down");
        assertThat(events.next(AsyncEventType.PORT_ERROR))
                .isEqualTo(new AsyncEvent(AsyncEventType.PORT_ERROR, null, 1))
                .hasToString("PORT_ERROR of port 1");
        assertThat(context.port(1).state()).isEqualTo(PortState.DOWN);

        device.setLink("up");
        assertThat(events.next(AsyncEventType.PORT_ACTIVE).port()).isEqualTo(1);
        assertThat(context.port(1).state()).isEqualTo(PortState.ACTIVE);
        assertThat(context.port(1).linkLayer()).isEqualTo(LinkLayer.ETHERNET);
    }

    @Test
    void reportThatTheGidTableChanged() throws InterruptedException {
        device.address("add", "10.9.70.99/24");
        assertThat(events.next(AsyncEventType.GID_CHANGE))
                .isEqualTo(new AsyncEvent(AsyncEventType.GID_CHANGE, null, 1));
        assertThat(context.gids(1)).extracting(GidEntry::gid).contains(ADDED);

        device.address("delete", "10.9.70.99/24");
        assertThat(events.next(AsyncEventType.GID_CHANGE).port()).isEqualTo(1);
        assertThat(context.gids(1)).extracting(GidEntry::gid).doesNotContain(ADDED);
    }

    /// rxe changes the port's MTU and keeps silent about it.
    @Test
    void doNotReportAnotherMtu() throws InterruptedException {
        assertThat(context.port(1).activeMtu()).isEqualTo(Mtu.MTU_1024);
        device.setLink("mtu", "4500");
        assertThat(context.port(1).activeMtu()).isEqualTo(Mtu.MTU_4096);
        assertThat(events.rest()).isEmpty();
    }

    @Test
    void reachEachContextOfTheDevice() throws InterruptedException {
        try (var second = device.open()) {
            device.setLink("down");
            for (var each : new ExpectedEvents[]{events, ExpectedEvents.of(second)}) {
                assertThat(each.next(AsyncEventType.PORT_ERROR).port()).isEqualTo(1);
            }
        }
    }
}
