// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The programs over librdmacm's rsockets, in Java and in C at either end.
@DeviceTest
@RealKernel("programs in C")
@Needs.OneKernel
class StreamToolsIT {
    private static final String LEFT = "10.9.0.1";
    private static final String RIGHT = "10.9.0.2";

    /// Transfers that fit into one message, need many, cross the ring's end, use small rings, and are compared byte by
    /// byte.
    private static final String[] RSTREAM = {
            "-S 64 -C 200 -T v",
            "-S 65536 -C 10",
            "-S 10007 -C 40 -I 2 -B 4096 -T v",
            "-S 1048576 -C 2 -T b"
    };

    private static String port() {
        return Integer.toString(CmAddress.right().getPort());
    }

    private static String[] rstream(String side, String options, String port) {
        return ("rstream " + side + " " + options + " -p " + port).split(" ");
    }

    /// Tables of both ends, which say the same of what was transferred: bytes, transfers, turns and the sum.
    private static void assertTables(String one, String other) {
        for (String table : List.of(one, other)) {
            assertThat(table.lines()).hasSize(2)
                    .first()
                    .isEqualTo("name      bytes   xfers   iters   total       time     Gb/sec    usec/xfer");
            assertThat(table.lines()).last()
                    .asString()
                    .matches("custom    [0-9.km]+ +[0-9]+ +[0-9]+ +[0-9.km]+ +[0-9.]+s +[0-9.]+ +[0-9.]+");
        }
        assertThat(transferred(one)).isEqualTo(transferred(other));
    }

    private static List<String> transferred(String table) {
        return Arrays.asList(table.lines().toList().getLast().split(" +")).subList(0, 5);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    @Needs.LongRun("four pairs of programs")
    void rstreamInJavaCallsC(int options) throws Exception {
        String port = port();
        try (var server = CmPrograms.cServer(rstream("-b " + RIGHT, RSTREAM[options], port))) {
            CmPrograms.awaitListener(port);
            String java =
                    CmPrograms.javaClient(rstream("-b " + LEFT + " -s " + RIGHT, RSTREAM[options], port)).output();
            assertTables(java, CmPrograms.output(server));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    @Needs.LongRun("four pairs of programs")
    void rstreamInCCallsJava(int options) throws Exception {
        String port = port();
        var server = CmPrograms.javaServer(rstream("-b " + RIGHT, RSTREAM[options], port));
        CmPrograms.awaitListener(port);
        String c = CmPrograms.cClient(rstream("-b " + LEFT + " -s " + RIGHT, RSTREAM[options], port));
        assertTables(CmPrograms.output(server), c);
    }

    @Test
    void rstreamInJavaCallsJava() throws Exception {
        String port = port();
        var server = CmPrograms.javaServer(rstream("-b " + RIGHT, RSTREAM[2], port));
        CmPrograms.awaitListener(port);
        String client = CmPrograms.javaClient(rstream("-s " + RIGHT, RSTREAM[2], port)).output();
        assertTables(client, CmPrograms.output(server));
    }

    /// Direct writes: few bytes compared, many transfers in a turn, several turns, and more than one message.
    private static final String[] RIOSTREAM = {"-S 64 -C 100 -T v", "-S 64 -C 1 -I 50", "-S 65536 -C 10 -I 2 -T v"};

    private static String[] riostream(String side, String options, String port) {
        return ("riostream " + side + " " + options + " -p " + port).split(" ");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    @Needs.LongRun("three pairs of programs")
    void riostreamInJavaCallsC(int options) throws Exception {
        String port = port();
        try (var server = CmPrograms.cServer(riostream("-b " + RIGHT, RIOSTREAM[options], port))) {
            CmPrograms.awaitListener(port);
            String java = CmPrograms.javaClient(riostream("-s " + RIGHT, RIOSTREAM[options], port)).output();
            assertTables(java, CmPrograms.output(server));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    @Needs.LongRun("three pairs of programs")
    void riostreamInCCallsJava(int options) throws Exception {
        String port = port();
        var server = CmPrograms.javaServer(riostream("-b " + RIGHT, RIOSTREAM[options], port));
        CmPrograms.awaitListener(port);
        String c = CmPrograms.cClient(riostream("-s " + RIGHT, RIOSTREAM[options], port));
        assertTables(CmPrograms.output(server), c);
    }

    private static String[] overIpv6(String program, String side, String options, InetSocketAddress address) {
        return (program + " " + side + " " + address.getAddress().getHostAddress() + " " + options + " -p "
                + address.getPort())
                .split(" ");
    }

    @ParameterizedTest
    @CsvSource({"rstream, -S 10007 -C 20 -T v", "riostream, -S 64 -C 100 -T v"})
    @Needs.LongRun("two pairs of programs")
    void calledByJavaAnswerOverIpv6(String program, String options) throws Exception {
        InetSocketAddress address = Family.IPV6.server();
        try (var server = CmPrograms.cServer(overIpv6(program, "-b", options, address))) {
            CmPrograms.awaitListener(Integer.toString(address.getPort()));
            String[] client = overIpv6(program, "-s", options, Family.IPV6.asSeenByClients(address));
            String java = CmPrograms.javaClient(client).output();
            assertTables(java, CmPrograms.output(server));
        }
    }

    @ParameterizedTest
    @CsvSource({"rstream, -S 10007 -C 20 -T v", "riostream, -S 64 -C 100 -T v"})
    void calledByCAnswerOverIpv6(String program, String options) throws Exception {
        InetSocketAddress address = Family.IPV6.server();
        var server = CmPrograms.javaServer(overIpv6(program, "-b", options, address));
        CmPrograms.awaitListener(Integer.toString(address.getPort()));
        String c = CmPrograms.cClient(overIpv6(program, "-s", options, Family.IPV6.asSeenByClients(address)));
        assertTables(CmPrograms.output(server), c);
    }

    private static Path randomFile(Path directory) throws Exception {
        byte[] bytes = new byte[1_000_003];
        new Random(7).nextBytes(bytes);
        return Files.write(directory.resolve("in"), bytes);
    }

    @Test
    void rcopyInJavaCallsC(@TempDir Path directory) throws Exception {
        String port = port();
        Path in = randomFile(directory);
        Path out = directory.resolve("out");
        try (var _ = CmPrograms.cServer("rcopy", "-p", port)) {
            CmPrograms.awaitListener(port);
            String output = CmPrograms.javaClient("rcopy", in.toString(), RIGHT + ":" + out, "-p", port).output();
            assertThat(output).startsWith("opening...transferring...closing...done\n1000003 bytes in ");
            assertThat(out).hasSameBinaryContentAs(in);
        }
    }

    @Test
    void rcopyInCCallsJava(@TempDir Path directory) throws Exception {
        String port = port();
        Path in = randomFile(directory);
        Path out = directory.resolve("out");
        var server = CmPrograms.javaServer("rcopy", "-p", port, "--once");
        CmPrograms.awaitListener(port);
        CmPrograms.cClient("rcopy", in.toString(), RIGHT + ":" + out, "-p", port);
        assertThat(CmPrograms.output(server))
                .matches("waiting for connection...client: [0-9.]+\nopening: " + out
                        + ", transferring...1000003 bytes...closing...done\n");
        assertThat(out).hasSameBinaryContentAs(in);
    }
}
