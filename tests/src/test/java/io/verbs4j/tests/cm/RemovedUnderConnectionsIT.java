// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.Identifier;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.cm.RdmaServer;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.TemporaryRxe;
import io.verbs4j.types.VerbsException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A device that is removed under its connections, by name or along with its network interface.
@DeviceTest
@RealKernel("network interfaces")
@Needs.EachKernel
class RemovedUnderConnectionsIT {
    private static final ConnectionOptions OPTIONS =
            ConnectionOptions.defaults().withTimeout(Steps.LONG).withMessages(4, 64);

    private static InetSocketAddress address() {
        return new InetSocketAddress("10.9.70.1", CmAddress.left().getPort());
    }

    /// The kernel notifies the users of a removed device in the reverse order of their loading. With rxe, uverbs waits
    /// until all programs have closed the device. So connections are notified only if the connection manager precedes
    /// uverbs, which is never the case if both are built in.
    private static boolean connectionsHearOfRemovals() throws IOException {
        Path modules = Path.of("/proc/modules");
        if (!Files.exists(modules)) {
            return false;
        }
        List<String> latestFirst = Files.readAllLines(modules).stream().map(line -> line.split(" ")[0]).toList();
        return latestFirst.contains("rdma_cm") && latestFirst.indexOf("rdma_cm") < latestFirst.indexOf("ib_uverbs");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rdma link delete " + TemporaryRxe.NAME, "ip link delete " + TemporaryRxe.INTERFACE})
    void endsConnectionsAndLetsGo(String removal) throws Exception {
        InetSocketAddress address = address();
        var device = new TemporaryRxe();
        var server = RdmaServer.listen(address, OPTIONS);
        var accepting = server.acceptAsync();
        var client = RdmaConnection.connect(address, OPTIONS);
        var accepted = accepting.get(60, TimeUnit.SECONDS);
        var connecting = RdmaConnection.connectAsync(address, OPTIONS);
        var unanswered = server.next();
        try (var removing = ExternalProcess.of(removal.split(" ")).start()) {
            if (connectionsHearOfRemovals()) {
                client.disconnected().get(60, TimeUnit.SECONDS);
                accepted.disconnected().get(60, TimeUnit.SECONDS);
                assertThatThrownBy(() -> connecting.get(60, TimeUnit.SECONDS)).cause()
                        .isInstanceOf(VerbsException.class);
                assertThatThrownBy(unanswered::accept).isInstanceOf(VerbsException.class);
                assertThatThrownBy(server::next)
                        .isInstanceOf(VerbsException.class)
                        .hasMessageContaining("was removed");
                // The server lets go by itself: connections are all that still has the device open.
                client.close();
                accepted.close();
                removing.await(Eventually.LIMIT).requireSuccess();
                server.close();
            } else {
                Eventually.until(() -> !TemporaryRxe.isListed(), () -> "still there; " + removing.output());
                if (removal.startsWith("rdma")) { // the interface is still there
                    client.messages().send("as if nothing had happened");
                    assertThat(accepted.messages().receiveText(Steps.LONG)).contains("as if nothing had happened");
                }
                connecting.cancel(true);
                unanswered.close();
                client.close();
                accepted.close();
                server.close();
                removing.await(Eventually.LIMIT).requireSuccess();
            }
        }
        assertThat(TemporaryRxe.isListed()).isFalse();
        device.close();
    }

    @Test
    void saysSoOfEachIdentifierThatHasTheDevice() throws Exception {
        InetSocketAddress address = address();
        try (
                var _ = new TemporaryRxe();
                var channel = EventChannel.open();
                var serving = EventChannel.open()) {
            Identifier listener = Steps.listen(serving, address);
            Identifier routed = Steps.resolve(channel, address);
            Identifier asking = Steps.ask(channel, address);
            Identifier incoming = Steps.next(serving, CmEvent.ConnectRequest.class).incoming();
            incoming.accept(Steps.parameters());
            Steps.next(channel, CmEvent.ConnectResponse.class);
            asking.confirm();
            Steps.next(serving, CmEvent.Established.class);
            try (var removing = ExternalProcess.of("rdma", "link", "delete", TemporaryRxe.NAME).start()) {
                assertThat(removed(channel, 2)).containsExactlyInAnyOrder(routed, asking);
                assertThat(removed(serving, 2)).containsExactlyInAnyOrder(listener, incoming);
                for (Identifier gone : List.of(routed, asking, listener, incoming)) {
                    assertThatThrownBy(() -> gone.addresses()).isInstanceOf(VerbsException.class);
                    gone.close();
                }
                removing.await(Eventually.LIMIT).requireSuccess();
            }
        }
    }

    private static Set<Identifier> removed(EventChannel channel, int count) throws InterruptedException {
        Set<Identifier> removed = new HashSet<>();
        while (removed.size() < count) {
            CmEvent event = channel.await(Steps.LONG).orElseThrow(() -> new AssertionError("only " + removed));
            if (event instanceof CmEvent.DeviceRemoved gone) {
                removed.add(gone.identifier());
            } else {
                assertThat(event).isInstanceOf(CmEvent.Disconnected.class); // the other end is gone before
            }
        }
        return removed;
    }
}
