// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.host.Host;
import io.verbs4j.cm.ChildProgram;
import io.verbs4j.simulator.SimulatedHost;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A shutdown hook of the program closes a stream.
@Timeout(60)
class ClosingAtExitTest {
    /// What happened in the JVM before the program's hook closes the stream.
    private enum Before {
        /// It has closed no stream. It accepts no further hook, such as that of verbs4j.
        NOTHING,
        /// It has closed another stream, and has run the hook of verbs4j.
        HOOK_ENDED
    }

    @ParameterizedTest
    @EnumSource
    void theCloseWaitsUntilTheBytesHaveArrived(Before before) throws IOException {
        assertThat(ChildProgram.output(List.of(), Program.class, before.name()))
                .containsExactly("closed: true, peer has 5 bytes");
    }

    /// A program whose shutdown hook writes to a stream, closes it, and prints the result.
    static final class Program {
        private static final InetSocketAddress ADDRESS = new InetSocketAddress("10.9.0.1", 7471);

        private Program() {}

        public static void main(String[] arguments) throws InterruptedException {
            SimulatedHost host = SimulatedNetwork.inRealTime().addHost("test", KernelProfile.LINUX_6_12);
            host.addDevice("rxe0");
            Host.replaceCurrent(host);
            var accepted = new CompletableFuture<StreamEndpoint>();
            RdmaStreamServer.listen(ADDRESS).acceptEach(1, accepted::complete);
            var here = StreamEndpoint.connect(ADDRESS, StreamOptions.defaults());
            StreamEndpoint there = accepted.join();
            boolean hookEnds = Before.valueOf(arguments[0]) == Before.HOOK_ENDED;
            if (hookEnds) {
                StreamEndpoint.connect(ADDRESS, StreamOptions.defaults()).close();
            }
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                if (hookEnds) {
                    ClosingStreams.await();
                }
                here.write(new ByteBuffer[]{ByteBuffer.allocate(5)}, 0, 1);
                here.close();
                System.out.println(
                        "closed: " + here.closed().isDone() + ", peer has " + there.available() + " bytes");
            }));
            System.exit(0);
        }
    }
}
