// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.Identifier;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.TemporaryRxe;
import io.verbs4j.tests.walks.WalkSearch;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PortSpace;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/// Events that need more than two programs: a host that is gone, a changed link address, time.
@DeviceTest
@RealKernel("network interfaces")
@Needs.EachKernel
class ProvokedEventsIT {
    private static final InetSocketAddress GONE = new InetSocketAddress("10.9.70.2", 7471);

    private static void run(String command) {
        ExternalProcess.of(command.split(" ")).run(Steps.LONG).requireSuccess();
    }

    /// A host that had a link address once, and answers nothing.
    private static Identifier resolveSilentHost(EventChannel channel) throws InterruptedException {
        run("ip neighbour replace 10.9.70.2 lladdr 02:00:00:00:00:02 nud permanent dev " + TemporaryRxe.INTERFACE);
        return Steps.resolve(channel, GONE);
    }

    /// The kernel repeats the request fifteen times, every 4.3 seconds.
    @Test
    @EnabledIf(value = "isLong", disabledReason = "only the long form waits for more than a minute")
    void aHostThatStaysSilentIsUnreachable() throws Exception {
        try (var _ = new TemporaryRxe(); var channel = EventChannel.open()) {
            Identifier client = resolveSilentHost(channel);
            client.connect(Steps.parameters());
            CmEvent event = channel.await(Duration.ofMinutes(3)).orElseThrow();
            assertThat(event).isInstanceOf(CmEvent.Unreachable.class);
            assertUnreachable((CmEvent.Unreachable) event);
            client.close();
        }
    }

    static boolean isLong() {
        return WalkSearch.isLong();
    }

    /// Another host has taken the address over.
    @Test
    void aHostWithAnotherLinkAddressIsUnreachable() throws Exception {
        try (var _ = new TemporaryRxe(); var channel = EventChannel.open()) {
            Identifier client = resolveSilentHost(channel);
            client.connect(Steps.parameters());
            run("ip neighbour replace 10.9.70.2 lladdr 02:00:00:00:00:03 nud permanent dev " + TemporaryRxe.INTERFACE);
            assertUnreachable(Steps.next(channel, CmEvent.Unreachable.class));
            client.close();
        }
    }

    private static void assertUnreachable(CmEvent.Unreachable event) {
        assertThat(event.status()).isEqualTo(-Errno.ETIMEDOUT);
        assertThat(event.explanation()).contains("does not answer");
    }

    /// With an acknowledgement timeout of some microseconds the time-wait is over soon.
    @Test
    void theEndOfTheTimeWaitIsReportedAtBothEnds() throws Exception {
        InetSocketAddress address = CmAddress.right();
        try (var serving = EventChannel.open(); var asking = EventChannel.open()) {
            Steps.listen(serving, address);
            Identifier client = asking.create(PortSpace.TCP);
            client.setAcknowledgeTimeout(2);
            client.resolveAddress(null, address, Steps.LONG);
            Steps.next(asking, CmEvent.AddressResolved.class);
            client.resolveRoute(Steps.LONG);
            Steps.next(asking, CmEvent.RouteResolved.class);
            client.connect(Steps.parameters());
            Identifier server = Steps.next(serving, CmEvent.ConnectRequest.class).incoming();
            server.accept(Steps.parameters());
            Steps.next(asking, CmEvent.ConnectResponse.class);
            client.confirm();
            Steps.next(serving, CmEvent.Established.class);
            client.disconnect();
            assertThat(Steps.next(serving, CmEvent.Disconnected.class).identifier()).isSameAs(server);
            server.disconnect();
            Steps.next(asking, CmEvent.Disconnected.class);
            assertThat(Steps.next(asking, CmEvent.TimewaitExited.class).identifier()).isSameAs(client);
            assertThat(Steps.next(serving, CmEvent.TimewaitExited.class).identifier()).isSameAs(server);
        }
    }
}
