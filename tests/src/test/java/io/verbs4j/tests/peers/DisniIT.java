// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.cm.CmPrograms;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.JavaProcess;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// DiSNI's own examples, unchanged, as separate processes on real devices. The module's unit tests run the same on
/// simulated devices.
@DeviceTest
@RealKernel("two processes that share a device")
@Needs.OneKernel
@Needs.LongRun("two Java processes for each example")
class DisniIT {
    private static final Duration LIMIT = Duration.ofSeconds(100);
    /// The default of DiSNI's examples.
    private static final String PORT = "1919";

    @ParameterizedTest
    @CsvSource({
            "2.1, 2.0, examples.Verbs, VerbsServer::done, This is a RDMA/read on stag",
            "2.1, 2.0, examples.SendRecv, Message from the client: Hello from the client, Message from the server: Hello from the server",
            "2.1, 2.0, examples.Read, final message, This is a RDMA/read on stag",
            "2.1, 2.0, benchmarks.Read, final message, latency",
            "2.0, 2.0, examples.SendRecv, Message from the client: Hello from the client, Message from the server: Hello from the server",
            "1.7, 1.7, examples.SendRecv, Message from the client: Hello from the client, Message from the server: Hello from the server"})
    void runsAnExample(String version, String tests, String program, String fromServer, String fromClient)
            throws InterruptedException {
        try (var server = start(version, tests, program + "Server")) {
            CmPrograms.awaitListener(PORT); // a client of DiSNI's that is too early waits indefinitely
            try (var client = start(version, tests, program + "Client")) {
                var ended = client.await(LIMIT);
                assertThat(ended.exitCode()).as(() -> ended + "\n" + server.output()).isZero();
                assertThat(ended.output()).contains(fromClient);
                assertThat(server.await(LIMIT).requireSuccess().output()).contains(fromServer);
            }
        }
    }

    private static ExternalProcess.Running start(String version, String tests, String program) {
        var command = new ArrayList<>(JavaProcess.command(
                "com.ibm.disni." + program,
                DisniPrograms.classPath("disni-" + version, "disni-" + tests + "-tests")));
        command.addAll(List.of("-a", "10.9.0.2"));
        if (program.startsWith("benchmarks")) {
            command.addAll(List.of("-s", "64", "-k", "1000"));
        }
        return ExternalProcess.of(command).start();
    }
}
