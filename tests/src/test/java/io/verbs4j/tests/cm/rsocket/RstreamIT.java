// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm.rsocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.cm.CmPrograms;
import io.verbs4j.tests.support.DeviceTest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `rstream` in Java and in C, each at either end.
@DeviceTest
class RstreamIT {
    private static final String SERVER = "10.9.0.2";
    private static final String CLIENT = "10.9.0.1";

    private static String[] command(String... arguments) {
        var command = new ArrayList<>(List.of("rstream"));
        command.addAll(List.of(arguments));
        return command.toArray(String[]::new);
    }

    private static String[] with(String[] options, String... more) {
        var all = new ArrayList<>(List.of(command(more)));
        all.addAll(List.of(options));
        return all.toArray(String[]::new);
    }

    /// One line of figures: name, bytes, transfers, rounds, total; then time, rate and time a transfer, which vary.
    private static void assertMeasured(String output, String line) {
        assertThat(output.lines().toList())
                .hasSize(2)
                .satisfies(lines -> assertThat(lines.get(0).split(" +"))
                        .containsExactly("name", "bytes", "xfers", "iters", "total", "time", "Gb/sec", "usec/xfer"))
                .satisfies(lines -> assertThat(lines.get(1)).startsWith(line).matches(".*s +[0-9.]+ +[0-9.]+"));
    }

    @ParameterizedTest(name = "server in {0}, client in {1}: {2}")
    @CsvSource({
            "Java, Java, -S 64 -C 100 -T v, 'custom    64      100     1       12k '",
            "Java, C, -S 64 -C 1000 -T v, 'custom    64      1k      1       125k '",
            "C, Java, -S 64 -C 1000 -T v, 'custom    64      1k      1       125k '",
            "Java, C, -S 65536 -C 20 -T v, 'custom    64k     20      1       2.5m '",
            "C, Java, -S 65536 -C 20 -T v, 'custom    64k     20      1       2.5m '",
            "Java, C, -S 1048576 -C 2 -T v -B 100000, 'custom    1m      2       1       4m '",
            "C, Java, -S 1048576 -C 2 -T v -B 100000, 'custom    1m      2       1       4m '",
            "Java, C, -S 64 -C 100 -i 0 -T b, 'custom    64      100     1       12k '",
            "C, Java, -S 1 -C 2000 -I 3 -T b, 'custom    1       2k      3       11k '",
            "Java, C, -S 1 -C 2000 -I 3 -T n, 'custom    1       2k      3       11k '"
    })
    void exchangesWhatBothSidesExpect(String server, String client, String options, String line) throws Exception {
        String[] own = with(options.split(" "), "-b", SERVER);
        String[] others = with(options.split(" "), "-b", CLIENT, "-s", SERVER);
        String clientOutput;
        String serverOutput;
        if (server.equals("Java")) {
            var running = CmPrograms.javaServer(own);
            CmPrograms.awaitListener("7471");
            clientOutput = client(client, others);
            serverOutput = CmPrograms.output(running);
        } else {
            var running = CmPrograms.cServer(own);
            CmPrograms.awaitListener("7471");
            clientOutput = client(client, others);
            serverOutput = CmPrograms.output(running);
        }
        assertMeasured(clientOutput, line);
        assertMeasured(serverOutput, line);
    }

    private static String client(String language, String[] command) throws InterruptedException {
        return language.equals("Java") ? CmPrograms.javaClient(command).output() : CmPrograms.cClient(command);
    }
}
