// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.RealKernel;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
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
class StreamToolsIT {
    private static final String LEFT = "10.9.0.1";
    private static final String RIGHT = "10.9.0.2";

    /// Bytes that fit in one message, that take many, that cross the ring's ends, with small rings, and compared byte by byte.
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

    private static void assertTable(String output) {
        List<String> lines = output.lines().toList();
        assertThat(lines).hasSize(2);
        assertThat(lines.getFirst())
                .isEqualTo("name      bytes   xfers   iters   total       time     Gb/sec    usec/xfer");
        assertThat(lines.getLast()).matches("custom    [0-9.km]+ +[0-9]+ +[12] +[0-9.km]+ +[0-9.]+s +[0-9.]+ +[0-9.]+");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void rstreamInJavaCallsC(int options) throws Exception {
        String port = port();
        try (var server = CmPrograms.cServer(rstream("-b " + RIGHT, RSTREAM[options], port))) {
            CmPrograms.awaitListener(port);
            assertTable(CmPrograms.javaClient(rstream("-b " + LEFT + " -s " + RIGHT, RSTREAM[options], port)).output());
            assertTable(CmPrograms.output(server));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void rstreamInCCallsJava(int options) throws Exception {
        String port = port();
        var server = CmPrograms.javaServer(rstream("-b " + RIGHT, RSTREAM[options], port));
        CmPrograms.awaitListener(port);
        assertTable(CmPrograms.cClient(rstream("-b " + LEFT + " -s " + RIGHT, RSTREAM[options], port)));
        assertTable(CmPrograms.output(server));
    }

    @Test
    void rstreamInJavaCallsJava() throws Exception {
        String port = port();
        var server = CmPrograms.javaServer(rstream("-b " + RIGHT, RSTREAM[2], port));
        CmPrograms.awaitListener(port);
        assertTable(CmPrograms.javaClient(rstream("-s " + RIGHT, RSTREAM[2], port)).output());
        assertTable(CmPrograms.output(server));
    }

    /// Direct writes: few bytes compared, many transfers in a turn, several turns, and more than one message.
    private static final String[] RIOSTREAM = {"-S 64 -C 100 -T v", "-S 64 -C 1 -I 50", "-S 65536 -C 10 -I 2 -T v"};

    private static String[] riostream(String side, String options, String port) {
        return ("riostream " + side + " " + options + " -p " + port).split(" ");
    }

    private static void assertDirectTable(String output) {
        assertThat(output.lines().toList()).hasSize(2)
                .last()
                .asString()
                .matches("custom    [0-9.km]+ +[0-9]+ +[0-9]+ +[0-9.km]+ +[0-9.]+s +[0-9.]+ +[0-9.]+");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void riostreamInJavaCallsC(int options) throws Exception {
        String port = port();
        try (var server = CmPrograms.cServer(riostream("-b " + RIGHT, RIOSTREAM[options], port))) {
            CmPrograms.awaitListener(port);
            assertDirectTable(CmPrograms.javaClient(riostream("-s " + RIGHT, RIOSTREAM[options], port)).output());
            assertDirectTable(CmPrograms.output(server));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void riostreamInCCallsJava(int options) throws Exception {
        String port = port();
        var server = CmPrograms.javaServer(riostream("-b " + RIGHT, RIOSTREAM[options], port));
        CmPrograms.awaitListener(port);
        assertDirectTable(CmPrograms.cClient(riostream("-s " + RIGHT, RIOSTREAM[options], port)));
        assertDirectTable(CmPrograms.output(server));
    }

    private static String[] overIpv6(String program, String side, String options, InetSocketAddress address) {
        return (program + " " + side + " " + address.getAddress().getHostAddress() + " " + options + " -p "
                + address.getPort())
                .split(" ");
    }

    @ParameterizedTest
    @CsvSource({"rstream, -S 10007 -C 20 -T v", "riostream, -S 64 -C 100 -T v"})
    void calledByJavaAnswerOverIpv6(String program, String options) throws Exception {
        InetSocketAddress address = Family.IPV6.server();
        try (var server = CmPrograms.cServer(overIpv6(program, "-b", options, address))) {
            CmPrograms.awaitListener(Integer.toString(address.getPort()));
            String[] client = overIpv6(program, "-s", options, Family.IPV6.asSeenByClients(address));
            assertDirectTable(CmPrograms.javaClient(client).output());
            assertDirectTable(CmPrograms.output(server));
        }
    }

    @ParameterizedTest
    @CsvSource({"rstream, -S 10007 -C 20 -T v", "riostream, -S 64 -C 100 -T v"})
    void calledByCAnswerOverIpv6(String program, String options) throws Exception {
        InetSocketAddress address = Family.IPV6.server();
        var server = CmPrograms.javaServer(overIpv6(program, "-b", options, address));
        CmPrograms.awaitListener(Integer.toString(address.getPort()));
        assertDirectTable(CmPrograms.cClient(overIpv6(program, "-s", options, Family.IPV6.asSeenByClients(address))));
        assertDirectTable(CmPrograms.output(server));
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
