// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.sockets.RdmaSelectorProvider;
import io.verbs4j.sockets.SocketRules;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.tests.support.LeakCheck;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Siw;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Streams over iWARP, which has no immediate data, between Java and C. `rstream -T v` compares each byte.
@Siw.Test
@Needs.OneKernel
class StreamOverSiwIT {
    @AfterEach
    void leavesNothing() {
        LeakCheck.awaitNothingOfConnections();
    }

    private static String[] rstream(String side, InetSocketAddress address, String options) {
        return ("rstream " + side + " " + address.getHostString() + " -p " + address.getPort() + " " + options)
                .split(" ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-S 64 -C 200 -T v", "-S 10007 -C 40 -I 2 -B 4096 -T v", "-S 1048576 -C 2 -T b"})
    @Needs.LongRun("three pairs of programs; the other direction runs by default")
    void javaCallsC(String options) throws Exception {
        InetSocketAddress address = Siw.right();
        try (var server = CmPrograms.cServer(rstream("-b", address, options))) {
            CmPrograms.awaitListener(Integer.toString(address.getPort()));
            CmPrograms.javaClient(rstream("-s", address, options));
            assertThat(CmPrograms.output(server)).contains("custom ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-S 64 -C 200 -T v", "-S 10007 -C 40 -I 2 -B 4096 -T v", "-S 1048576 -C 2 -T b"})
    void cCallsJava(String options) throws Exception {
        InetSocketAddress address = Siw.right();
        var server = CmPrograms.javaServer(rstream("-b", address, options));
        CmPrograms.awaitListener(Integer.toString(address.getPort()));
        assertThat(CmPrograms.cClient(rstream("-s", address, options))).contains("custom ");
        CmPrograms.output(server);
    }

    @Test
    void memoryIsMappedForTheOtherProgram() throws Exception {
        InetSocketAddress address = Siw.right();
        String[] options =
                ("riostream -s " + address.getHostString() + " -p " + address.getPort() + " -S 64 -C 100 -T v")
                        .split(" ");
        var server = CmPrograms.javaServer("riostream", "-b", address.getHostString(), "-p",
                Integer.toString(address.getPort()), "-S", "64", "-C", "100", "-T", "v");
        CmPrograms.awaitListener(Integer.toString(address.getPort()));
        assertThat(CmPrograms.cClient(options)).contains("custom ");
        CmPrograms.output(server);
    }

    @Test
    void channelsUseIwarp() throws Exception {
        var provider =
                new RdmaSelectorProvider(SocketRules.parse("test", List.of("rdma connect * *", "rdma bind * *")));
        byte[] content = new byte[3_000_000];
        new Random(3).nextBytes(content);
        try (ServerSocketChannel server = provider.openServerSocketChannel().bind(Siw.right())) {
            var echoed = InThread.PLATFORM.start(() -> {
                try (SocketChannel there = server.accept()) {
                    there.socket().getInputStream().transferTo(there.socket().getOutputStream());
                    return true;
                }
            });
            try (SocketChannel here = provider.openSocketChannel()) {
                here.connect(server.getLocalAddress());
                assertThat(here.toString()).endsWith("over RDMA");
                var written = InThread.PLATFORM.start(() -> {
                    here.write(ByteBuffer.wrap(content));
                    here.shutdownOutput();
                    return true;
                });
                assertThat(here.socket().getInputStream().readAllBytes()).isEqualTo(content);
                assertThat(written.result()).isTrue();
            }
            assertThat(echoed.result()).isTrue();
        }
    }
}
