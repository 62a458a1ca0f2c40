// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.Identifier;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.types.ConnectionParameters;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// The connection manager step by step: what each command says in each state, and how closed identifiers end.
@DeviceTest
@Needs.EachKernel
class IdentifierIT {
    private static final Duration LONG = Duration.ofSeconds(60);

    private static CmEvent next(EventChannel channel) throws InterruptedException {
        return channel.await(LONG).orElseThrow();
    }

    private static void refuses(int errno, Runnable command) {
        assertThatThrownBy(command::run)
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    @Test
    void bindsToAddressesOfDevicesOnly() {
        InetSocketAddress address = CmAddress.left();
        try (var channel = EventChannel.open()) {
            Identifier one = channel.create(PortSpace.TCP);
            one.bind(address);
            assertThat(one.device().orElseThrow().name()).isEqualTo("rxe0");
            assertThat(one.addresses().local()).isEqualTo(address);
            refuses(Errno.EINVAL, () -> one.bind(address));
            Identifier other = channel.create(PortSpace.TCP);
            refuses(Errno.EADDRINUSE, () -> other.bind(address));
            assertThatThrownBy(() -> other.bind(new InetSocketAddress("10.9.0.77", 0)))
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.errno()).isIn(Errno.EADDRNOTAVAIL, Errno.ENODEV));
            one.close();
            other.bind(address);
        }
    }

    /// One number, three causes.
    @Test
    void saysWhyAnAddressIsNotAvailable() {
        InetSocketAddress address = CmAddress.left();
        var wildcard = new InetSocketAddress("0.0.0.0", address.getPort());
        try (var channel = EventChannel.open()) {
            Identifier one = channel.create(PortSpace.TCP);
            Identifier all = channel.create(PortSpace.TCP);
            one.bind(address);
            String port = "another identifier has port " + address.getPort();
            assertUnavailable(() -> all.bind(wildcard)).hasMessageContaining(port + " at one address");
            one.close();
            all.bind(wildcard);
            Identifier other = channel.create(PortSpace.TCP);
            assertUnavailable(() -> other.bind(address)).hasMessageContaining(port + " at the wildcard address");
            assertUnavailable(() -> other.resolveAddress(address, CmAddress.right(), LONG))
                    .hasMessageContaining(port + " at the wildcard address");
            Identifier stray = channel.create(PortSpace.TCP);
            assertUnavailable(() -> stray.bind(new InetSocketAddress("10.9.0.77", address.getPort())))
                    .hasMessageContaining("no network interface of this network namespace has the address 10.9.0.77");
            all.close();
            other.bind(address);
        }
    }

    /// Identifiers that share a port, of which one listens.
    @Test
    void saysWhyAPortIsNotAvailableToListen() {
        InetSocketAddress address = CmAddress.left();
        try (var channel = EventChannel.open()) {
            Identifier all = channel.create(PortSpace.TCP);
            Identifier one = channel.create(PortSpace.TCP);
            all.setReuseAddress(true);
            one.setReuseAddress(true);
            all.bind(new InetSocketAddress("0.0.0.0", address.getPort()));
            one.bind(address);
            assertUnavailable(() -> one.listen(0)).hasMessageContaining("uses the port: at the wildcard address");
        }
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> assertUnavailable(ThrowingCallable call) {
        return assertThatThrownBy(call).isInstanceOfSatisfying(VerbsException.class,
                e -> assertThat(e.errno()).isEqualTo(Errno.EADDRNOTAVAIL));
    }

    @Test
    void saysWhatIsTooEarly() throws Exception {
        try (var channel = EventChannel.open()) {
            Identifier identifier = channel.create(PortSpace.TCP);
            refuses(Errno.EINVAL, () -> identifier.resolveRoute(LONG));
            refuses(Errno.EINVAL, () -> identifier.connect(ConnectionParameters.DEFAULT));
            refuses(Errno.EINVAL, () -> identifier.accept(ConnectionParameters.DEFAULT));
            identifier.resolveAddress(null, CmAddress.right(), LONG);
            assertThat(next(channel)).isInstanceOf(CmEvent.AddressResolved.class);
            assertThat(identifier.attributes(QueuePairState.INIT).state()).isEqualTo(QueuePairState.INIT);
            identifier.resolveRoute(LONG);
            assertThat(next(channel)).isInstanceOf(CmEvent.RouteResolved.class);
            assertThat(identifier.paths()).hasSize(1);
            assertThat(identifier.gids().destination().toInetAddress().getHostAddress()).isEqualTo("10.9.0.2");
            assertThatThrownBy(() -> identifier.connect(
                    ConnectionParameters.DEFAULT.withPrivateData(PrivateData.of(new byte[57]))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("privateData.size=57");
        }
    }

    @Test
    void readsThatOneEndHasOutstandingAreThoseThatTheOtherTakes() throws Exception {
        InetSocketAddress address = CmAddress.right();
        try (
                var channel = EventChannel.open();
                var asking = EventChannel.open()) {
            Steps.listen(channel, address);
            Identifier client = Steps.resolve(asking, address);
            client.connect(Steps.parameters().withReadAtomic(3, 5));
            var request = Steps.next(channel, CmEvent.ConnectRequest.class);
            assertThat(request.parameters().responderResources()).isEqualTo(5);
            assertThat(request.parameters().initiatorDepth()).isEqualTo(3);
            request.incoming().accept(Steps.parameters().withReadAtomic(2, 1));
            var response = Steps.next(asking, CmEvent.ConnectResponse.class);
            assertThat(response.parameters().responderResources()).isEqualTo(1);
            assertThat(response.parameters().initiatorDepth()).isEqualTo(2);
        }
    }

    @Test
    void givesASilentNeighbourUp() throws Exception {
        try (var channel = EventChannel.open()) {
            Identifier identifier = channel.create(PortSpace.TCP);
            identifier.resolveAddress(CmAddress.left(), new InetSocketAddress("10.9.0.99", 7000),
                    Duration.ofMillis(300));
            CmEvent event = next(channel);
            assertThat(event).isInstanceOf(CmEvent.AddressFailed.class);
            assertThat(event.status()).isIn(-Errno.ETIMEDOUT, -Errno.EHOSTUNREACH);
            assertThat(event.explanation()).isNotBlank();
        }
    }

    @Test
    void migratesWithItsEvents() throws Exception {
        EventChannel first = EventChannel.open();
        try (var second = EventChannel.open()) {
            Identifier identifier = first.create(PortSpace.TCP);
            identifier.resolveAddress(null, CmAddress.right(), LONG);
            identifier.migrate(second);
            assertThat(next(second)).isEqualTo(new CmEvent.AddressResolved(identifier));
            first.close();
            identifier.resolveRoute(LONG);
            assertThat(next(second)).isEqualTo(new CmEvent.RouteResolved(identifier));
        }
    }

    @Test
    void rejectsARequestThatIsClosedAfterItsListener() throws Exception {
        InetSocketAddress address = CmAddress.right();
        try (
                var channel = EventChannel.open();
                var asking = EventChannel.open()) {
            Identifier listener = channel.create(PortSpace.TCP);
            listener.bind(address);
            listener.listen(4);
            Identifier client = asking.create(PortSpace.TCP);
            client.resolveAddress(null, address, LONG);
            assertThat(next(asking)).isInstanceOf(CmEvent.AddressResolved.class);
            client.resolveRoute(LONG);
            assertThat(next(asking)).isInstanceOf(CmEvent.RouteResolved.class);
            client.connect(ConnectionParameters.DEFAULT.withQueuePairNumber(0x4711));
            var request = (CmEvent.ConnectRequest) next(channel);
            assertThat(request.identifier()).isSameAs(listener);
            listener.close();
            request.incoming().close();
            CmEvent answer = next(asking);
            assertThat(answer).isInstanceOf(CmEvent.Rejected.class);
            assertThat(answer.status()).isEqualTo(28);
            assertThat(channel.poll()).isEmpty();
            assertThatThrownBy(() -> listener.listen(1)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void endsAWaitWhenTheChannelIsClosed() throws Exception {
        EventChannel channel = EventChannel.open();
        Identifier identifier = channel.create(PortSpace.UDP);
        var waiting = CompletableFuture.supplyAsync(() -> {
            try {
                // Longer than the test waits: a wait that runs out ends in the same exception.
                return channel.await(LONG.multipliedBy(2));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }, task -> Thread.ofVirtual().start(task));
        Thread.sleep(100);
        channel.close();
        assertThatThrownBy(() -> waiting.get(60, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(IllegalStateException.class);
        assertThat(identifier.isClosed()).isTrue();
        identifier.close();
        channel.close();
    }
}
