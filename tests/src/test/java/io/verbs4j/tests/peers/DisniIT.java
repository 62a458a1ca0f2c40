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

/// DiSNI's own examples, and the example of DaRPC, unchanged, as separate processes on real devices. The module's unit
/// tests run the same on simulated devices.
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
        String classPath = DisniPrograms.classPath("disni-" + version, "disni-" + tests + "-tests");
        String main = "com.ibm.disni." + program;
        String[] options = program.startsWith("benchmarks") ? new String[]{"-s", "64", "-k", "1000"} : new String[0];
        try (var server = start(classPath, main + "Server", options)) {
            String output = runClient(server, classPath, main + "Client", options);
            assertThat(output).contains(fromClient);
            assertThat(server.await(LIMIT).requireSuccess().output()).contains(fromServer);
        }
    }

    /// Four threads call a server over two connections. The client prints the number of planned calls, and the stack of
    /// a thread that failed. The server runs until it is stopped.
    @ParameterizedTest
    @CsvSource({"future-take, 64", "batch-stream-poll, 0"})
    void runsDarpc(String mode, String inlineBytes) throws InterruptedException {
        String classPath = DisniPrograms.classPath("disni-2.1", "darpc-1.9", "darpc-1.9-tests");
        String main = "com.ibm.darpc.examples.";
        try (var server = start(classPath, main + "server.DaRPCServer", "-i", inlineBytes)) {
            String output = runClient(server, classPath, main + "client.DaRPCClient",
                    "-i", inlineBytes, "-m", mode, "-n", "4", "-c", "2", "-k", "500");
            assertThat(output).contains("ops 2000.0").doesNotContain("Exception");
        }
    }

    private static String runClient(ExternalProcess.Running server, String classPath, String main, String... options)
            throws InterruptedException {
        CmPrograms.awaitListener(PORT); // a client of DiSNI's that is too early waits indefinitely
        try (var client = start(classPath, main, options)) {
            var ended = client.await(LIMIT);
            assertThat(ended.exitCode()).as(() -> ended + "\n" + server.output()).isZero();
            return ended.output();
        }
    }

    private static ExternalProcess.Running start(String classPath, String main, String... options) {
        var command = new ArrayList<>(JavaProcess.command(main, classPath));
        command.addAll(List.of("-a", "10.9.0.2"));
        command.addAll(List.of(options));
        return ExternalProcess.of(command).start();
    }
}
