// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.tools;

import io.verbs4j.MemoryRegion;
import io.verbs4j.abi.host.Host;
import io.verbs4j.cm.stream.RdmaStream;
import io.verbs4j.cm.stream.RdmaStreamServer;
import io.verbs4j.cm.stream.StreamOptions;
import io.verbs4j.simulator.SimulatedHost;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.tests.support.ToolRun;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A client of riostream waits for writes of a server that has closed the stream.
class EndedStreamTest {
    private static final int GREETING = 16;
    private static final int BYTES = 64;

    /// Without this check, the client waits for a minute.
    @Test
    @Timeout(30)
    void endsAClientAtOnce() throws Exception {
        SimulatedHost host = SimulatedNetwork.inRealTime(1).addHost("here", KernelProfile.LINUX_7_2);
        host.addDevice("rxe0");
        try (
                Host.Replacement _ = Host.replaceCurrent(host);
                RdmaStreamServer server = RdmaStreamServer.listen(
                        new InetSocketAddress("10.9.0.1", 7471), StreamOptions.defaults().withMappings(1))) {
            var greeting = InThread.PLATFORM.start(() -> greetAndClose(server));
            ToolRun.of("riostream", "-s", "10.9.0.1", "-p", "7471", "-S", "" + BYTES, "-C", "1")
                    .requireFailure(1, "the peer ended its transfers early", "both sides need the same -S, -C and -I");
            greeting.result();
        } finally {
            host.network().close();
        }
    }

    private static boolean greetAndClose(RdmaStreamServer server) throws IOException, InterruptedException {
        try (RdmaStream stream = server.accept(); MemoryRegion region = stream.map(0, BYTES)) {
            region.segment().set(ValueLayout.JAVA_BYTE, BYTES - 1, (byte) -1);
            stream.inputStream().readNBytes(GREETING);
            stream.outputStream().write(new byte[GREETING]);
            Eventually.until(
                    () -> region.segment().get(ValueLayout.JAVA_BYTE, BYTES - 1) == 0,
                    () -> "the client writes nothing");
            return true;
        }
    }
}
