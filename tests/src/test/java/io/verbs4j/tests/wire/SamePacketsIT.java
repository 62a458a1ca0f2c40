// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.TcpPorts;
import io.verbs4j.tests.support.ToolRun;
import io.verbs4j.tests.support.WireCapture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Our programs send the same packets as those in C. The captures of two C programs and of two of ours are compared,
/// except for values that vary between runs.
@DeviceTest
@RealKernel("programs in C, and a network interface to capture from")
@Needs.OneKernel
class SamePacketsIT {
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final AtomicInteger NEXT_PORT = new AtomicInteger(19_500);

    @ParameterizedTest(name = "{0} and {1}")
    @CsvSource({
            "ibv_rc_pingpong -g 1, rc-pingpong -g 1, -s 2500 -n 4",
            "ibv_uc_pingpong -g 1, uc-pingpong -g 1, -s 2500 -n 4",
            "ibv_ud_pingpong -g 1, ud-pingpong -g 1, -s 500 -n 4",
            "ib_send_lat -x 1 -F, perf send-lat -x 1, -s 1500 -n 8",
            "ib_write_lat -x 1 -F, perf write-lat -x 1, -s 1500 -n 8",
            "ib_read_lat -x 1 -F, perf read-lat -x 1, -s 2500 -n 8",
            "ib_atomic_lat -x 1 -F, perf atomic-lat -x 1, -n 8"
    })
    @Needs.LongRun("two pairs of programs for each case")
    void areThoseOfTheProgramsInC(String inC, String ours, String options) throws Exception {
        boolean contents = inC.contains("pingpong"); // perftest sends what its memory happens to hold
        List<List<String>> expected;
        List<List<String>> found;
        try (WireCapture capture = WireCapture.start()) {
            playInC(inC + " " + options);
            expected = Normalized.of(capture.take(), contents);
        }
        try (WireCapture capture = WireCapture.start()) {
            playOurs(ours + " " + options);
            found = Normalized.of(capture.take(), contents);
        }
        assertThat(expected.getFirst()).hasSizeGreaterThan(3);
        assertThat(found).isEqualTo(expected);
    }

    private static void playInC(String command) {
        int port = NEXT_PORT.getAndIncrement();
        try (var server = ExternalProcess.of(words(command, Rxe.RIGHT, port)).start()) {
            Eventually.until(LIMIT, () -> TcpPorts.isListening(port), server::output);
            var client = words(command, Rxe.LEFT, port);
            client.add("10.9.0.2");
            ExternalProcess.of(client).run(LIMIT).requireSuccess();
            server.await(LIMIT).requireSuccess();
        }
    }

    private static void playOurs(String command) throws Exception {
        int port = NEXT_PORT.getAndIncrement();
        var server = InThread.PLATFORM.start(() -> ToolRun.of(words(command, Rxe.RIGHT, port).toArray(String[]::new)));
        Eventually.until(
                LIMIT, () -> TcpPorts.isListening(port) || server.isDone(), () -> "no server on port " + port);
        var client = words(command, Rxe.LEFT, port);
        client.add("10.9.0.2");
        ToolRun.of(client.toArray(String[]::new)).requireSuccess();
        server.result(LIMIT).requireSuccess();
    }

    private static ArrayList<String> words(String command, String device, int port) {
        var words = new ArrayList<>(List.of(command.split(" ")));
        words.addAll(List.of("-d", device, "-p", Integer.toString(port)));
        return words;
    }
}
