// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.SendWorkRequest;
import io.verbs4j.abi.host.Host;
import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.Identifier;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.simulator.SimulatedHost;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.tests.support.ToolRun;
import io.verbs4j.tools.common.Listening;
import io.verbs4j.types.Access;
import io.verbs4j.types.ConnectionParameters;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.PrivateData;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Servers that run until interrupted serve the next client after one that fails.
@Timeout(60)
class ServersThatContinueTest {
    private static final String SERVER = "10.9.0.2";
    private static final Duration LONG = Duration.ofSeconds(10);

    private final SimulatedNetwork network = SimulatedNetwork.inRealTime();
    private final SimulatedHost host = network.addHost("here", KernelProfile.LINUX_7_2);

    @TempDir private Path folder;

    private Host.Replacement replacement;

    @BeforeEach
    void open() {
        host.addDevice("rxe0");
        host.addDevice("rxe1");
        replacement = Host.replaceCurrent(host);
    }

    @AfterEach
    void close() {
        replacement.close();
        network.close();
    }

    /// Runs the clients while the server listens. Interrupts the server, and returns its standard error.
    private static String serve(String command, Clients clients) throws Exception {
        var served = new CompletableFuture<ToolRun>();
        Thread server = start(command, served);
        try {
            clients.run();
        } finally {
            server.interrupt();
        }
        return served.get().error();
    }

    /// Starts a server, and waits until it listens.
    private static Thread start(String command, CompletableFuture<ToolRun> served) throws InterruptedException {
        var listening = new CountDownLatch(1);
        Thread server = Thread.startVirtualThread(() -> Listening.run(
                listening::countDown, () -> served.complete(ToolRun.of(command.split(" ")))));
        listening.await();
        return server;
    }

    @FunctionalInterface
    private interface Clients {
        void run() throws Exception;
    }

    private static void rping() {
        ToolRun.of("rping", "-c", "-a", SERVER, "-C", "3", "-V").requireSuccess();
    }

    /// Sends a request, and disappears when the server has answered.
    private static void giveUp(int port, PrivateData data) throws InterruptedException {
        try (EventChannel channel = EventChannel.open(); Identifier identifier = channel.create(PortSpace.TCP)) {
            identifier.resolveAddress(null, new InetSocketAddress(SERVER, port), LONG);
            channel.await();
            identifier.resolveRoute(LONG);
            channel.await();
            identifier.connect(ConnectionParameters.DEFAULT.withQueuePairNumber(1).withPrivateData(data));
            assertThat(channel.await(LONG)).containsInstanceOf(CmEvent.ConnectResponse.class);
        }
    }

    @Test
    void rpingServesTheNextAfterAClientWithOtherBytes() throws Exception {
        assertThat(serve("rping -s -P -a " + SERVER, () -> {
            assertThat(ToolRun.of("rping", "-c", "-a", SERVER, "-S", "128").exitCode()).isOne();
            rping();
        })).startsWith("the client offered a buffer of 128 bytes; both sides need the same -S\n");
    }

    /// Offers a buffer as a client of rping does, but without the zero that ends the text.
    private static void offerEndlessText() throws InterruptedException {
        try (
                var connection = RdmaConnection.connect(
                        new InetSocketAddress(SERVER, 7174), ConnectionOptions.defaults().withReadAtomic(1))) {
            var memory = connection.protectionDomain().allocate(16 + 64, Access.LOCAL_WRITE, Access.REMOTE_READ);
            memory.segment().fill((byte) 'x');
            memory.segment().asByteBuffer().putLong(memory.address() + 16).putInt(memory.remoteKey()).putInt(64);
            try (var batch = connection.queuePair().beginReceive()) {
                batch.receive(memory, 0, 16);
                batch.submit();
            }
            connection.queuePair().post(new SendWorkRequest().send().local(memory, 0, 16).signaled());
            for (int left = 2; left > 0;) {
                int count = connection.completionQueue()
                        .await(2, completion -> assertThat(completion.isSuccess()).isTrue(), LONG);
                assertThat(count).isPositive();
                left -= count;
            }
        }
    }

    @Test
    void rpingServesTheNextAfterAClientWithEndlessText() throws Exception {
        assertThat(serve("rping -s -P -v -a " + SERVER, () -> {
            offerEndlessText();
            rping();
        })).startsWith("the peer has disconnected before the offer of the buffer to write\n");
    }

    @Test
    void rpingServesTheNextAfterAClientThatGaveUp() throws Exception {
        assertThat(serve("rping -s -P -a " + SERVER, () -> {
            giveUp(7174, PrivateData.NONE);
            rping();
        })).startsWith("accept ");
    }

    @Test
    void cmtimeCountsAClientThatGaveUp() throws Exception {
        var served = new CompletableFuture<ToolRun>();
        Thread server = start("cmtime --once -c 2 -b " + SERVER, served);
        try {
            giveUp(7471, PrivateData.NONE);
            ToolRun.of("cmtime", "-s", SERVER, "-c", "1").requireSuccess();
            served.get().requireSuccess();
        } finally {
            server.interrupt();
        }
    }

    @Test
    void rcopyServesTheNextAfterAClientThatGaveUp() throws Exception {
        // The rsockets protocol's private data: version 1, two entries of a table, and one byte of a ring.
        byte[] greeting = ByteBuffer.allocate(40).put(0, (byte) 1).putInt(20, 2).putInt(36, 1).array();
        Path source = Files.writeString(folder.resolve("source"), "some text");
        Path copy = folder.resolve("copy");
        assertThat(serve("rcopy", () -> {
            giveUp(7427, PrivateData.of(greeting));
            ToolRun.of("rcopy", source.toString(), SERVER + ":" + copy).requireSuccess();
        })).startsWith("accept ");
        assertThat(copy).hasContent("some text");
    }

    /// A server of perf serves one client. The client gives up before its request, so an interrupt ends the server.
    @Test
    void perfTakesNoOtherDeviceThanTheOneThatLeadsToThePeer() throws Exception {
        serve("perf send-lat -R -p 7787",
                () -> ToolRun.of("perf", "send-lat", "-R", "-p", "7787", "-d", "rxe0", SERVER)
                        .requireFailure(1, "the route to the peer uses rxe1, not rxe0; omit -d"));
    }
}
