// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.ConnectionRejectedException;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.cm.RdmaServer;
import io.verbs4j.cm.RejectReason;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.LeakCheck;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Connections that fail, over both versions of IP: the program's error, and that no objects are left.
@DeviceTest
@Needs.EachKernel
class FailedConnectionsIT {
    private static final ConnectionOptions OPTIONS =
            ConnectionOptions.defaults().withTimeout(Steps.LONG).withMessages(4, 64);
    private static final ConnectionOptions HASTY = OPTIONS.withTimeout(Duration.ofMillis(300));

    @AfterEach
    void leavesNothing() {
        LeakCheck.awaitNothingOfConnections();
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> assertFails(int errno, ThrowingCallable call) {
        return assertThatThrownBy(call)
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    private static Throwable cause(CompletableFuture<?> failing) {
        try {
            return new AssertionError("no failure, but " + failing.get(60, TimeUnit.SECONDS));
        } catch (Exception e) {
            return e.getCause() == null ? e : e.getCause();
        }
    }

    @ParameterizedTest
    @EnumSource
    void saysThatNobodyListens(Family family) {
        assertFails(
                Errno.ECONNREFUSED,
                () -> RdmaConnection.connect(family.asSeenByClients(family.server()), family.fromTheLeft(OPTIONS)))
                .hasMessageContaining("has no listener");
    }

    @Test
    void saysThatTheNeighbourIsSilent() {
        assertThatThrownBy(() -> RdmaConnection.connect(new InetSocketAddress("10.9.0.88", 7471), HASTY))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isIn(Errno.ETIMEDOUT, Errno.EHOSTUNREACH))
                .hasMessageContaining("neighbour");
    }

    @Test
    void saysThatThereIsNoRoute() {
        assertFails(
                Errno.ENETUNREACH, () -> RdmaConnection.connect(new InetSocketAddress("10.77.0.1", 7471), OPTIONS))
                .hasMessageContaining("resolve");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void saysThatLoopbackHasNoDevice(String address) {
        assertFails(Errno.ENODEV, () -> RdmaConnection.connect(new InetSocketAddress(address, 7471), OPTIONS));
    }

    @ParameterizedTest
    @EnumSource
    void saysThatTheAddressIsTaken(Family family) {
        InetSocketAddress address = family.server();
        try (var server = RdmaServer.listen(address)) {
            assertFails(Errno.EADDRINUSE, () -> RdmaServer.listen(address));
            assertThat(server.localAddress()).isEqualTo(address);
        }
        RdmaServer.listen(address).close(); // free again at once
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.9.0.77", "fd00:77::1"})
    void saysThatTheAddressIsNotOurs(String address) {
        assertThatThrownBy(() -> RdmaServer.listen(new InetSocketAddress(address, 7471)))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isIn(Errno.EADDRNOTAVAIL, Errno.ENODEV));
    }

    @ParameterizedTest
    @EnumSource
    void rejectsWithDataAndServesTheNext(Family family) throws Exception {
        InetSocketAddress address = family.server();
        InetSocketAddress there = family.asSeenByClients(address);
        try (var server = RdmaServer.listen(address, OPTIONS)) {
            var refused = RdmaConnection.connectAsync(
                    there, family.fromTheLeft(OPTIONS).withPrivateData(PrivateData.of("a stranger")));
            try (var request = server.next()) {
                assertThat(request.privateData().text()).isEqualTo("a stranger");
                assertThat(request.localAddress()).isEqualTo(address);
                request.reject(PrivateData.of("not you"));
                assertThatThrownBy(request::accept)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("already answered");
            }
            assertThat(cause(refused)).isInstanceOfSatisfying(ConnectionRejectedException.class, e -> {
                assertThat(e.reason()).contains(RejectReason.BY_PEER);
                assertThat(e.privateData().text()).isEqualTo("not you");
                assertThat(e.privateData().size()).isEqualTo(148);
            });
            var accepting = server.acceptAsync();
            try (
                    var client = RdmaConnection.connect(there, family.fromTheLeft(OPTIONS));
                    var accepted = accepting.get(60, TimeUnit.SECONDS)) {
                assertThat(client.context().device().name()).isEqualTo(Rxe.LEFT);
                assertThat(accepted.context().device().name()).isEqualTo(Rxe.RIGHT);
                client.messages().send("a friend");
                assertThat(accepted.messages().receiveText(Steps.LONG)).contains("a friend");
            }
        }
    }

    @Test
    void saysThatTheServerDoesNotAnswerInTime() throws Exception {
        InetSocketAddress address = CmAddress.right();
        try (var server = RdmaServer.listen(address, OPTIONS)) {
            assertFails(Errno.ETIMEDOUT, () -> RdmaConnection.connect(address, HASTY))
                    .hasMessageContaining("the peer's program has not accepted");
            // The client has given up: who takes the request now gets an error that says so.
            assertThatThrownBy(() -> server.next().accept()).isInstanceOf(VerbsException.class);
        }
    }

    @Test
    void saysThatTheClientDoesNotConfirmInTime() throws Exception {
        InetSocketAddress address = CmAddress.right();
        try (
                var server = RdmaServer.listen(address, OPTIONS);
                var asking = EventChannel.open()) {
            Steps.ask(asking, address);
            ConnectionOptions hasty = ConnectionOptions.defaults().withTimeout(Duration.ofMillis(300));
            assertFails(Errno.ETIMEDOUT, () -> server.next().accept(hasty))
                    .hasMessageContaining("the peer has not confirmed");
            Steps.next(asking, CmEvent.ConnectResponse.class);
            assertThat(asking.await(Steps.LONG).orElseThrow())
                    .isInstanceOfAny(CmEvent.Rejected.class, CmEvent.Disconnected.class);
        }
    }

    @Test
    void rejectsWhatWaitsWhenTheServerIsClosed() throws Exception {
        InetSocketAddress address = CmAddress.right();
        var server = RdmaServer.listen(address, OPTIONS);
        var waiting = RdmaConnection.connectAsync(address, OPTIONS);
        try (var request = server.next()) { // its turn has come, but the answer is missing
            var second = RdmaConnection.connectAsync(address, OPTIONS);
            Thread.sleep(50); // with or without it: the outcome is the same whether the request is there yet
            server.close();
            assertThat(cause(second)).isInstanceOf(ConnectionRejectedException.class);
            assertThat(cause(waiting)).isInstanceOf(ConnectionRejectedException.class);
            assertThatThrownBy(request::accept).isInstanceOf(IllegalStateException.class);
        }
        assertThatThrownBy(server::next).isInstanceOf(IllegalStateException.class);
    }

    /// A server's channel stays open as long as a connection needs it. Closing it would reject the requests, and hide
    /// that the server has not rejected them.
    @Test
    void rejectsWhatWaitsWhenTheServerIsClosedUnderAConnection() throws Exception {
        InetSocketAddress address = CmAddress.right();
        var server = RdmaServer.listen(address, OPTIONS);
        var accepting = server.acceptAsync();
        try (
                var client = RdmaConnection.connect(address, OPTIONS);
                var accepted = accepting.get(60, TimeUnit.SECONDS)) {
            var waiting = RdmaConnection.connectAsync(address, OPTIONS);
            // The listener, two ends of the connection, and those of the request.
            Eventually.until(() -> LeakCheck.identifiers().size() == 5, () -> LeakCheck.identifiers().toString());
            Thread.sleep(50); // the server takes it in that time
            server.close();
            assertThat(cause(waiting))
                    .isInstanceOfSatisfying(ConnectionRejectedException.class,
                            e -> assertThat(e.reason()).contains(RejectReason.BY_PEER));
            client.messages().send("still connected");
            assertThat(accepted.messages().receiveText(Steps.LONG)).contains("still connected");
        }
    }

    @Test
    void saysThatTheTimeIsUpWhereverThatHappens() {
        InetSocketAddress address = CmAddress.right();
        // Nobody accepts, so that no attempt has another end.
        try (var _ = RdmaServer.listen(address, OPTIONS)) {
            for (int micros = 0; micros <= 4000; micros += 200) {
                ConnectionOptions hasty = OPTIONS.withTimeout(Duration.ofNanos(micros * 1000L));
                long start = System.nanoTime();
                assertFails(Errno.ETIMEDOUT, () -> RdmaConnection.connect(address, hasty));
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Steps.LONG.dividedBy(2));
            }
        }
    }

    @Test
    void rejectsWhatIsBeyondTheBacklog() throws Exception {
        InetSocketAddress address = CmAddress.right();
        try (var server = RdmaServer.listen(address, OPTIONS, 1, _ -> {})) {
            var first = RdmaConnection.connectAsync(address, OPTIONS);
            var second = RdmaConnection.connectAsync(address, OPTIONS);
            // One of them waits, the other has no room.
            CompletableFuture.anyOf(first.exceptionally(_ -> null), second.exceptionally(_ -> null))
                    .get(60, TimeUnit.SECONDS);
            var refused = first.isDone() ? first : second;
            assertThat(cause(refused)).isInstanceOf(ConnectionRejectedException.class);
            try (
                    var accepted = server.accept();
                    var client = (refused == first ? second : first).get(60, TimeUnit.SECONDS)) {
                assertThat(client.isConnected()).isTrue();
                assertThat(accepted.isConnected()).isTrue();
            }
        }
    }

    @Test
    void leavesNothingOfWhatIsCancelled() throws Exception {
        InetSocketAddress address = CmAddress.right();
        try (var server = RdmaServer.listen(address, OPTIONS)) {
            var accepting = server.acceptAsync();
            Thread.sleep(50); // it waits by now, and would take the request
            accepting.cancel(true);
            // Neither ends by itself while this test waits.
            var connecting = RdmaConnection.connectAsync(address, OPTIONS.withTimeout(Steps.LONG.multipliedBy(2)));
            connecting.thenAccept(RdmaConnection::close); // which it does not come to
            try (var request = server.next(Steps.LONG).orElseThrow()) {
                assertThat(LeakCheck.identifiers()).as("the listener, the client and the request").hasSize(3);
                connecting.cancel(true);
                Eventually.until(() -> LeakCheck.identifiers().size() == 2, () -> LeakCheck.identifiers().toString());
                // The request dies with its client.
                assertThatThrownBy(() -> request.accept(HASTY)).isInstanceOf(VerbsException.class);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4})
    void dropsEventsOfWhatIsClosed(int step) throws Exception {
        InetSocketAddress address = CmAddress.right();
        try (
                var serving = EventChannel.open();
                var asking = EventChannel.open()) {
            Steps.listen(serving, address);
            var client = asking.create(PortSpace.TCP);
            client.resolveAddress(null, address, Steps.LONG);
            if (step > 0) {
                Steps.next(asking, CmEvent.AddressResolved.class);
                client.resolveRoute(Steps.LONG);
            }
            if (step > 1) {
                Steps.next(asking, CmEvent.RouteResolved.class);
                client.connect(Steps.parameters());
            }
            if (step > 2) {
                Steps.next(serving, CmEvent.ConnectRequest.class).incoming().accept(Steps.parameters());
            }
            if (step > 3) {
                Steps.next(asking, CmEvent.ConnectResponse.class);
                client.confirm();
                Steps.next(serving, CmEvent.Established.class).identifier().disconnect();
            }
            Thread.sleep(Duration.ofMillis(100)); // for the step's event to be there
            client.close();
            assertThat(asking.poll()).isEmpty();
        }
    }
}
