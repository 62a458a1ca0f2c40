// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.verbs4j.abi.host.Host;
import io.verbs4j.simulator.SimulatedDevice;
import io.verbs4j.simulator.SimulatedHost;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests streams whose device is removed or closed.
@Timeout(60)
class StreamWithoutDeviceTest {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress("10.9.0.1", 7471);

    private final SimulatedNetwork network = SimulatedNetwork.inRealTime();
    private final SimulatedHost host = network.addHost("test", KernelProfile.LINUX_6_12);
    private final SimulatedDevice device = host.addDevice("rxe0");
    private Host.Replacement current = () -> {};

    /// An event that removes the device of the streams.
    private enum Loss {
        /// The kernel removes the device.
        DEVICE_REMOVED {
            @Override
            void happenTo(SimulatedHost host, StreamEndpoint stream) {
                host.removeDevice(stream.connection().context().device().name());
            }
        },
        /// The program closes the context, along with the queue pair.
        CONTEXT_CLOSED {
            @Override
            void happenTo(SimulatedHost host, StreamEndpoint stream) {
                stream.connection().context().close();
            }
        };

        abstract void happenTo(SimulatedHost host, StreamEndpoint stream);
    }

    private enum End {
        CLOSE(StreamEndpoint::close),
        CLOSE_AND_WAIT(StreamEndpoint::closeAndWait),
        ABORT(StreamEndpoint::abort);

        private final Consumer<StreamEndpoint> action;

        End(Consumer<StreamEndpoint> action) {
            this.action = action;
        }
    }

    @BeforeEach
    void becomeCurrent() {
        current = Host.replaceCurrent(host);
    }

    @AfterEach
    void end() {
        current.close();
        network.close();
    }

    static Stream<Arguments> lossesAndEnds() {
        return Stream.of(Loss.values()).flatMap(loss -> Stream.of(End.values()).map(end -> arguments(loss, end)));
    }

    @ParameterizedTest
    @MethodSource("lossesAndEnds")
    void endsInAnyWayAndReleasesEverything(Loss loss, End end) throws Exception {
        try (StreamGroup group = StreamGroup.create(1 << 20)) {
            var options = StreamOptions.defaults()
                    .withBuffers(4096, 4096)
                    .withGroup(group)
                    .withDrain(Duration.ofMillis(200));
            var accepted = new CompletableFuture<StreamEndpoint>();
            try (RdmaStreamServer server = RdmaStreamServer.listen(ADDRESS, options)) {
                server.acceptEach(1, accepted::complete);
                StreamEndpoint here = StreamEndpoint.connect(ADDRESS, options);
                StreamEndpoint there = accepted.get(20, TimeUnit.SECONDS);
                here.write(new ByteBuffer[]{ByteBuffer.allocate(1000)}, 0, 1);
                loss.happenTo(host, here);
                end.action.accept(here);
                here.closed().get(20, TimeUnit.SECONDS);
                there.abort();
                there.closed().get(20, TimeUnit.SECONDS);
            }
            assertThat(group.ringBytes()).isZero();
        }
        assertThat(host.identifiers()).isEmpty();
        assertThat(device.objects()).isEmpty();
    }
}
