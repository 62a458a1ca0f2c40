// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.ConnectionRejectedException;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.cm.RdmaServer;
import io.verbs4j.cm.RejectReason;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Connections that are made, refused and ended, by the layer that does each in one call.
@DeviceTest
@Needs.EachKernel
class ConnectIT {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final ConnectionOptions OPTIONS =
            ConnectionOptions.defaults().withTimeout(LONG).withMessages(16, 1024);

    @Test
    void carriesMessagesBothWays() throws Exception {
        InetSocketAddress address = CmAddress.right();
        try (var server = RdmaServer.listen(address, OPTIONS.withPrivateData(PrivateData.of("welcome")))) {
            var accepting = server.acceptAsync();
            try (
                    var client = RdmaConnection.connect(address, OPTIONS.withPrivateData(PrivateData.of("it is me")));
                    var accepted = accepting.get(60, TimeUnit.SECONDS)) {
                assertThat(accepted.privateData().text()).isEqualTo("it is me");
                assertThat(accepted.privateData().size()).isEqualTo(56);
                assertThat(client.privateData().text()).isEqualTo("welcome");
                assertThat(client.privateData().size()).isEqualTo(196);
                assertThat(client.queuePair().state()).isEqualTo(QueuePairState.RTS);
                assertThat(client.peerAddress()).isEqualTo(address);
                assertThat(accepted.peerAddress()).isEqualTo(client.localAddress());
                for (int i = 0; i < 100; i++) {
                    client.messages().send("ping " + i);
                    assertThat(accepted.messages().receiveText(LONG)).contains("ping " + i);
                    accepted.messages().send("pong " + i);
                    assertThat(client.messages().receiveText(LONG)).contains("pong " + i);
                }
                client.messages().send("the last");
                client.disconnect();
                accepted.disconnected().get(60, TimeUnit.SECONDS);
                assertThat(accepted.isConnected()).isFalse();
                assertThat(accepted.messages().receiveText(LONG)).contains("the last");
                assertThatThrownBy(() -> accepted.messages().receiveText(LONG))
                        .isInstanceOf(VerbsException.class)
                        .hasMessageContaining("ECONNRESET");
            }
        }
    }

    /// The kernel may miss that a near neighbour has answered, and looks again only when an attempt's time is up.
    @Test
    @RealKernel("the table of neighbours")
    void findsANeighbourThatIsNotKnownYet() {
        InetSocketAddress nobody = CmAddress.right();
        ExternalProcess.of("ip", "neighbour", "flush", "all").run(LONG).requireSuccess();
        long start = System.nanoTime();
        assertThatThrownBy(() -> RdmaConnection.connect(nobody, OPTIONS.withSource(CmAddress.left())))
                .isInstanceOf(ConnectionRejectedException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LONG.dividedBy(2));
    }

    @Test
    void saysThatNobodyListens() {
        assertThatThrownBy(() -> RdmaConnection.connect(CmAddress.right(), OPTIONS))
                .isInstanceOfSatisfying(ConnectionRejectedException.class, e -> {
                    assertThat(e.reason()).contains(RejectReason.NO_LISTENER);
                    assertThat(e.errno()).isEqualTo(Errno.ECONNREFUSED);
                })
                .hasMessageContaining("has no listener");
    }

    @Test
    void rejectsWithData() throws Exception {
        InetSocketAddress address = CmAddress.right();
        try (var server = RdmaServer.listen(address, OPTIONS)) {
            var connecting = RdmaConnection.connectAsync(address, OPTIONS);
            server.next().reject(PrivateData.of("not you"));
            assertThatThrownBy(() -> connecting.get(60, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOfSatisfying(ConnectionRejectedException.class, e -> {
                        assertThat(e.reason()).contains(RejectReason.BY_PEER);
                        assertThat(e.privateData().text()).isEqualTo("not you");
                    });
        }
    }
}
