// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.FaultyHost;
import io.verbs4j.abi.completion.RequestNotification;
import io.verbs4j.abi.host.Host;
import io.verbs4j.abi.uapi.IbUverbsCmdHdr;
import io.verbs4j.simulator.SimulatedHost;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Streams between two simulated devices that end in an unusual way.
@Timeout(60)
class StreamEndsTest {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress("10.9.0.2", 7471);
    private static final int MANY = 1 << 20;

    private final SimulatedNetwork network = SimulatedNetwork.inRealTime();
    private final SimulatedHost host = network.addHost("test", KernelProfile.LINUX_6_12);

    StreamEndsTest() {
        host.addDevice("rxe0");
        host.addDevice("rxe1");
    }

    @AfterEach
    void end() {
        network.close();
    }

    private static boolean isArming(Object argument) {
        return argument instanceof MemorySegment command
                && IbUverbsCmdHdr.STRUCT.view(command).getInt("command") == RequestNotification.WRITE.number();
    }

    /// No event would report the next completion, so that the thread would wait indefinitely.
    @Test
    void aStreamFailsIfItsQueueCannotBeArmed() throws Exception {
        var refuses = new AtomicBoolean();
        var faults =
                new FaultyHost((_, arguments) -> refuses.get() && isArming(arguments.getFirst()), Errno.ENOMEM);
        try (
                Host.Replacement _ = Host.replaceCurrent(faults.over(host));
                StreamGroup group = StreamGroup.create(MANY)) {
            StreamOptions options = StreamOptions.defaults().withGroup(group);
            var accepted = new CompletableFuture<StreamEndpoint>();
            try (RdmaStreamServer server = RdmaStreamServer.listen(ADDRESS, options)) {
                server.acceptEach(1, accepted::complete);
                StreamEndpoint here = StreamEndpoint.connect(ADDRESS, options);
                StreamEndpoint there = accepted.get(20, TimeUnit.SECONDS);
                refuses.set(true);
                here.write(new ByteBuffer[]{ByteBuffer.allocate(1)}, 0, 1);
                assertThat(there.awaitReadable(Duration.ofSeconds(20))).isTrue();
                assertThat(there.read(ByteBuffer.allocate(10))).as("the byte has arrived before").isOne();
                assertThat(there.awaitReadable(Duration.ofSeconds(20))).as("has failed").isTrue();
                assertThatThrownBy(() -> there.read(ByteBuffer.allocate(1))).isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM));
                refuses.set(false);
                here.abort();
                there.abort();
                here.closed().get(20, TimeUnit.SECONDS);
                there.closed().get(20, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void anExceptionOfAConsumerIsNotLost() throws Exception {
        var uncaught = new CompletableFuture<Throwable>();
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((_, e) -> uncaught.complete(e));
        try (
                Host.Replacement _ = Host.replaceCurrent(host);
                RdmaStreamServer server = RdmaStreamServer.listen(ADDRESS)) {
            server.acceptEach(1, stream -> {
                stream.abort();
                throw new IllegalArgumentException("of the test");
            });
            RdmaStream.connect(ADDRESS).close();
            assertThat(uncaught.get(20, TimeUnit.SECONDS)).hasMessage("of the test");
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }
}
