// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.ConnectionRejectedException;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.cm.RdmaServer;
import io.verbs4j.roce.RoceFrame;
import io.verbs4j.roce.mad.CmMessage;
import io.verbs4j.roce.mad.CmMessageType;
import io.verbs4j.roce.mad.IpHeader;
import io.verbs4j.roce.mad.Mad;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.WireCapture;
import io.verbs4j.types.Gid;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.QueuePairAttribute;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// The connection manager's packets of a connection of ours say what both ends know.
@DeviceTest
@RealKernel("packets of the connection manager")
@Needs.OneKernel
class ConnectionPacketsIT {
    private static final ConnectionOptions OPTIONS =
            ConnectionOptions.defaults().withTimeout(Duration.ofSeconds(60));
    /// Options for the left device: what comes from the device that is asked never reaches a wire.
    private static final ConnectionOptions FROM_THE_LEFT = OPTIONS.withSource(new InetSocketAddress("10.9.0.1", 0));
    private static final int PORT = 21_900;

    private final List<CmMessage> messages = new ArrayList<>();
    private final List<RoceFrame> frames = new ArrayList<>();
    private final Set<String> seen = new HashSet<>();

    /// Takes messages, each once, until one of that type is there.
    private void takeUntil(WireCapture capture, CmMessageType last) {
        Eventually.until(
                () -> {
                    for (RoceFrame frame : capture.take()) {
                        Mad.in(frame.packet()).ifPresent(mad -> add(frame, mad));
                    }
                    return messages.stream().anyMatch(message -> message.type() == last);
                },
                () -> "no " + last + " among " + messages);
    }

    private void add(RoceFrame frame, Mad mad) {
        if (seen.add(mad + " " + mad.header().value("tid"))) { // a busy machine repeats them
            frames.add(frame);
            messages.add(mad.message().orElseThrow());
        }
    }

    @Test
    void handshakeAndFarewellNameQueuePairsSequenceNumbersAndAddresses() throws Exception {
        var address = new InetSocketAddress("10.9.0.2", PORT);
        int clientPort;
        int clientPsn;
        int clientQueuePair;
        int serverPsn;
        int serverQueuePair;
        try (
                var capture = WireCapture.start();
                var server = RdmaServer.listen(address, OPTIONS.withPrivateData(PrivateData.of("come in")))) {
            var accepting = server.acceptAsync();
            try (
                    var client =
                            RdmaConnection.connect(address, FROM_THE_LEFT.withPrivateData(PrivateData.of("hello")));
                    var accepted = accepting.get(60, TimeUnit.SECONDS)) {
                clientPort = client.localAddress().getPort();
                clientPsn = firstPsn(client);
                clientQueuePair = client.queuePair().number();
                serverPsn = firstPsn(accepted);
                serverQueuePair = accepted.queuePair().number();
                client.disconnect();
                accepted.disconnected().get(60, TimeUnit.SECONDS);
            }
            takeUntil(capture, CmMessageType.DREP);
        }
        assertThat(messages.stream().map(CmMessage::type).limit(5))
                .containsExactly(CmMessageType.REQ, CmMessageType.REP, CmMessageType.RTU, CmMessageType.DREQ,
                        CmMessageType.DREP);
        CmMessage request = messages.get(0);
        CmMessage reply = messages.get(1);
        CmMessage ready = messages.get(2);
        assertThat(request.portSpace()).contains(PortSpace.TCP);
        assertThat(request.port()).hasValue(PORT);
        assertThat(request.ipHeader())
                .contains(new IpHeader(clientPort, frames.get(0).source(), address.getAddress()));
        assertThat(request.fields().gid("primary_remote_port_gid")).isEqualTo(Gid.of(address.getAddress()));
        assertThat(request.queuePairNumber()).hasValue(clientQueuePair);
        // Each end says which PSN the other one shall begin with.
        assertThat(request.fields().number("starting_psn")).isEqualTo(serverPsn);
        assertThat(text(request)).isEqualTo("hello");
        assertThat(reply.queuePairNumber()).hasValue(serverQueuePair);
        assertThat(reply.fields().number("starting_psn")).isEqualTo(clientPsn);
        assertThat(text(reply)).isEqualTo("come in");
        assertThat(reply.remoteId()).isEqualTo(request.localId());
        assertThat(ready.localId()).isEqualTo(request.localId());
        assertThat(ready.remoteId()).isEqualTo(reply.localId());
        CmMessage farewell = messages.get(3);
        int peers = farewell.localId().equals(request.localId()) ? serverQueuePair : clientQueuePair;
        assertThat(farewell.queuePairNumber()).hasValue(peers);
        assertThat(messages.get(4).localId()).isEqualTo(farewell.remoteId());
    }

    private static int firstPsn(RdmaConnection connection) {
        return connection.queuePair().query(QueuePairAttribute.SEND_PSN).sendPsn();
    }

    private static String text(CmMessage message) {
        return new String(message.privateData(), StandardCharsets.US_ASCII).replace("\0", "");
    }

    @Test
    void requestThatNobodyListensForIsRejectedWithItsReason() {
        try (var capture = WireCapture.start()) {
            var address = new InetSocketAddress("10.9.0.2", PORT + 1);
            assertThatThrownBy(() -> RdmaConnection.connect(address, FROM_THE_LEFT))
                    .isInstanceOf(ConnectionRejectedException.class);
            takeUntil(capture, CmMessageType.REJ);
        }
        CmMessage rejection = messages.getLast();
        assertThat(rejection.fields().number("reason")).isEqualTo(8);
        assertThat(rejection.fields().number("message_rejected")).isZero();
        assertThat(rejection.remoteId()).isEqualTo(messages.getFirst().localId());
    }
}
