// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.host.Host;
import io.verbs4j.simulator.SimulatedDevice;
import io.verbs4j.simulator.SimulatedHost;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.types.ConnectionParameters;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// If the port is not active, the error of an unanswered connect or accept names the port. The test uses a simulated
/// device, because a real link that goes down loses its addresses, and later tests need them.
@Timeout(60)
class UnansweredConnectTest {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress("10.9.0.2", 7471);

    private final SimulatedNetwork network = SimulatedNetwork.inRealTime();
    private final SimulatedHost host = network.addHost("host", KernelProfile.LINUX_6_12);
    private final SimulatedDevice client = host.addDevice("rxe0");
    private final SimulatedDevice server = host.addDevice("rxe1");

    @BeforeEach
    void sendPacketsAcrossTheWire() {
        host.connectsAcrossTheWire(true);
    }

    @AfterEach
    void close() {
        network.close();
    }

    @Test
    void connectNamesThePortThatIsNotActive() {
        try (Host.Replacement _ = Host.replaceCurrent(host); RdmaServer _ = RdmaServer.listen(ADDRESS)) {
            assertNames("rxe0", () -> RdmaConnection.connect(ADDRESS, whose(client)));
        }
    }

    @Test
    void acceptNamesThePortThatIsNotActive() throws InterruptedException {
        try (
                Host.Replacement _ = Host.replaceCurrent(host);
                RdmaServer listener = RdmaServer.listen(ADDRESS);
                EventChannel asking = EventChannel.open()) {
            connectWithoutConfirming(asking);
            assertNames("rxe1", () -> listener.next().accept(whose(server)));
        }
    }

    @Test
    void datagramConnectNamesThePortThatIsNotActive() throws InterruptedException {
        try (
                Host.Replacement _ = Host.replaceCurrent(host);
                EventChannel silent = EventChannel.open();
                Identifier listener = silent.create(PortSpace.UDP)) {
            listener.bind(ADDRESS);
            listener.listen(1);
            Thread.ofVirtual().start(() -> {
                try {
                    silent.await();
                    client.link(false);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            assertNames("rxe0", () -> DatagramPort.connect(
                    ADDRESS, ConnectionOptions.defaults().withTimeout(Duration.ofSeconds(1))));
        }
    }

    /// Sends a request, and leaves the server's response unanswered.
    private static void connectWithoutConfirming(EventChannel channel) throws InterruptedException {
        Identifier identifier = channel.create(PortSpace.TCP);
        identifier.resolveAddress(null, ADDRESS, Duration.ofSeconds(10));
        channel.await();
        identifier.resolveRoute(Duration.ofSeconds(10));
        channel.await();
        identifier.connect(ConnectionParameters.DEFAULT.withQueuePairNumber(1));
    }

    /// Returns options whose preparation takes the device's link down.
    private static ConnectionOptions whose(SimulatedDevice device) {
        return ConnectionOptions.defaults()
                .withTimeout(Duration.ofSeconds(1))
                .withPreparation(_ -> device.link(false));
    }

    private static void assertNames(String device, ThrowingCallable waiting) {
        assertThatThrownBy(waiting)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ETIMEDOUT))
                .hasMessageContaining("port 1 of " + device + " is not active; bring its network interface up");
    }
}
