// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.ToolRun;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `perf -R` and perftest's `-R`: the connection manager establishes the control connection and the measured ones.
@DeviceTest
@RealKernel("processes on one machine")
@Needs.OneKernel
class PerfByAddressIT {
    private static String[] options(String test, String port, String... more) {
        var all = new ArrayList<>(List.of("-R", "-F", "-n", "100", "-p", port));
        if (test.endsWith("bw")) {
            all.addAll(List.of("-q", "2"));
        }
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    private static String[] java(String test, String[] options) {
        return with(List.of("perf", test), options);
    }

    private static String[] c(String test, String[] options) {
        return with(List.of("ib_" + test.replace('-', '_')), options);
    }

    private static String[] with(List<String> first, String[] options) {
        var all = new ArrayList<>(first);
        all.addAll(List.of(options));
        return all.toArray(String[]::new);
    }

    private static String port() {
        return Integer.toString(CmAddress.right().getPort());
    }

    /// A line of the table that counts all messages.
    private static void assertMeasured(String test, String output) {
        String messages = test.endsWith("bw") ? "200" : "100";
        assertThat(output.lines().map(line -> line.strip().split("\\s+")))
                .as(output)
                .anyMatch(words -> words.length > 3 && words[1].equals(messages));
    }

    @ParameterizedTest
    @ValueSource(strings = {"send-lat", "send-bw", "write-lat", "write-bw", "read-lat", "read-bw", "atomic-lat",
            "atomic-bw"})
    @Needs.LongRun("eight pairs of programs")
    void javaCallsC(String test) throws Exception {
        String port = port();
        try (var server = CmPrograms.cServer(c(test, options(test, port, "-d", "rxe1")))) {
            String[] client = java(test, options(test, port, "-d", "rxe0", "10.9.0.2"));
            assertMeasured(test, CmPrograms.javaClient(client).output());
            CmPrograms.output(server);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"send-lat", "send-bw", "write-lat", "write-bw", "read-lat", "read-bw", "atomic-lat",
            "atomic-bw"})
    @Needs.LongRun("eight pairs of programs")
    void cCallsJava(String test) throws Exception {
        String port = port();
        var server = CmPrograms.javaServer(java(test, options(test, port, "-d", "rxe1")));
        assertMeasured(test, CmPrograms.cClient(c(test, options(test, port, "-d", "rxe0", "10.9.0.2"))));
        CmPrograms.output(server);
    }

    @Test
    @Needs.LongRun("eight tests")
    void bothInJava() throws Exception {
        String port = port();
        var server = CmPrograms.javaServer(java("write-bw", options("write-bw", port, "-b")));
        String[] client = java("write-bw", options("write-bw", port, "-b", "10.9.0.2"));
        assertMeasured("write-bw", CmPrograms.javaClient(client).output());
        assertMeasured("write-bw", CmPrograms.output(server));
    }

    /// Latency only. A server in C waits indefinitely for a lost datagram, and a bandwidth test loses some on a busy
    /// machine.
    @Test
    @Needs.LongRun("two pairs of programs")
    void datagramsGoToCAndBack() throws Exception {
        String port = port();
        try (var server = CmPrograms.cServer(c("send-lat", options("send-lat", port, "-c", "UD")))) {
            String[] client = java("send-lat", options("send-lat", port, "-c", "UD", "10.9.0.2"));
            assertMeasured("send-lat", CmPrograms.javaClient(client).output());
            CmPrograms.output(server);
        }
        String other = port();
        var server = CmPrograms.javaServer(java("send-lat", options("send-lat", other, "-c", "UD")));
        assertMeasured(
                "send-lat", CmPrograms.cClient(c("send-lat", options("send-lat", other, "-c", "UD", "10.9.0.2"))));
        CmPrograms.output(server);
    }

    @Test
    void datagramsOfSeveralQueuePairsGoInJava() throws Exception {
        String port = port();
        var server = CmPrograms.javaServer(java("send-bw", options("send-bw", port, "-c", "UD")));
        String[] client = java("send-bw", options("send-bw", port, "-c", "UD", "10.9.0.2"));
        String output = CmPrograms.javaClient(client).output();
        assertThat(output).contains(" Number of qps   : 2", " Connection type : UD");
        assertMeasured("send-bw", output);
        CmPrograms.output(server);
    }

    @Test
    void connectsNoUnreliableConnections() {
        ToolRun run = ToolRun.of("perf", "send-lat", "-R", "-c", "UC", "10.9.0.2");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.error()).contains("-R connects RC and UD alone");
    }
}
