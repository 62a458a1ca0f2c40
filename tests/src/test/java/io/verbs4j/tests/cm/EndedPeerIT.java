// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.CompletionRecord;
import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.ConnectionRejectedException;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.Identifier;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.cm.RdmaServer;
import io.verbs4j.cm.RejectReason;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.JavaProcess;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// A peer that is killed (SIGKILL), at each stage of a connection and in either role. One process has a connection in
/// each stage, because a Java process takes long to start.
@DeviceTest
@RealKernel("processes on one machine")
@Needs.OneKernel
class EndedPeerIT {
    private static final ConnectionOptions OPTIONS =
            ConnectionOptions.defaults().withTimeout(Steps.LONG).withMessages(8, 64);

    @Test
    @Needs.LongRun("a program for each stage and role")
    void saysSoAtEachStage() throws Exception {
        InetSocketAddress ours = CmAddress.left();
        InetSocketAddress stands = CmAddress.left();
        InetSocketAddress peers = CmAddress.right();
        InetSocketAddress peersServer = CmAddress.right();
        var command = new ArrayList<>(JavaProcess.command(EndedPeerProbe.class));
        for (InetSocketAddress address : List.of(ours, stands, peers, peersServer)) {
            command.add(address.getHostString());
            command.add(Integer.toString(address.getPort()));
        }
        try (
                var serving = EventChannel.open();
                var server = RdmaServer.listen(stands, OPTIONS)) {
            Steps.listen(serving, ours);
            try (var peer = ExternalProcess.of(command).start()) {
                // The peer as a client, in the order in which it asks.
                var asked = Steps.next(serving, CmEvent.ConnectRequest.class);
                var answered = Steps.next(serving, CmEvent.ConnectRequest.class);
                answered.incoming().accept(Steps.parameters());
                try (RdmaConnection accepted = server.accept()) {
                    // The peer as a server: asked by these, in the order in which it takes the requests.
                    peer.awaitOutput("listening");
                    try (
                            var unanswered = EventChannel.open();
                            var unconfirmed = EventChannel.open();
                            var untaken = EventChannel.open();
                            RdmaConnection connected = RdmaConnection.connect(peersServer, OPTIONS)) {
                        Steps.ask(unanswered, peers);
                        peer.awaitOutput("unanswered");
                        Identifier response = Steps.ask(unconfirmed, peers);
                        Steps.next(unconfirmed, CmEvent.ConnectResponse.class);
                        peer.awaitOutput("unconfirmed");
                        Steps.ask(untaken, peers);
                        peer.awaitOutput("at all stages");

                        peer.signal("KILL");

                        // Its kernel rejects on its behalf what was not connected yet.
                        assertThat(Steps.next(serving, CmEvent.Rejected.class).identifier())
                                .isSameAs(answered.incoming());
                        requireRejection(asked.incoming(), serving);
                        assertThat(Steps.next(unanswered, CmEvent.Rejected.class).status())
                                .isEqualTo(RejectReason.BY_PEER.number());
                        assertThat(unconfirmed.await(Steps.LONG).orElseThrow())
                                .isInstanceOfAny(CmEvent.Rejected.class, CmEvent.Disconnected.class);
                        assertThatThrownBy(response::confirm).isInstanceOf(VerbsException.class);
                        assertThat(Steps.next(untaken, CmEvent.Rejected.class).status())
                                .isEqualTo(RejectReason.BY_PEER.number());
                        // What was connected ends: receives are flushed, the messages before are there.
                        requireEnd(accepted);
                        requireEnd(connected);
                    }
                }
                assertThatThrownBy(() -> RdmaConnection.connect(peersServer, OPTIONS))
                        .isInstanceOf(ConnectionRejectedException.class)
                        .hasMessageContaining("has no listener");
            }
        }
    }

    /// A request that is not accepted yet has no name that an event could refer to, so only the acceptance fails. If it
    /// is accepted before the rejection arrives, an event reports the rejection.
    private static void requireRejection(Identifier asked, EventChannel serving) throws Exception {
        try {
            asked.accept(Steps.parameters());
        } catch (VerbsException e) {
            assertThat(e.errno()).isEqualTo(Errno.EINVAL);
            return;
        }
        assertThat(Steps.next(serving, CmEvent.Rejected.class).identifier()).isSameAs(asked);
    }

    private static void requireEnd(RdmaConnection connection) throws Exception {
        connection.disconnected().get(60, TimeUnit.SECONDS);
        assertThat(connection.isConnected()).isFalse();
        assertThat(connection.messages().receiveText(Steps.LONG)).contains("still here");
        assertThatThrownBy(() -> connection.messages().receiveText(Steps.LONG))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("ECONNRESET");
        List<CompletionRecord> left = new ArrayList<>();
        connection.completionQueue().poll(16, completion -> left.add(completion.toRecord()));
        assertThat(left).allMatch(completion -> completion.status().equals(CompletionStatus.WORK_REQUEST_FLUSHED));
    }
}
