// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.cm.RdmaServer;
import io.verbs4j.tests.support.Probe;
import java.net.InetSocketAddress;
import java.time.Duration;

/// The program that [ProcessEnvironmentIT] starts: it connects with itself, and needs nothing but the library.
final class ProcessEnvironmentProbe {
    private ProcessEnvironmentProbe() {}

    /// @param arguments the timeout of a connection in seconds, and questions, each followed by an address and a port
    ///     to listen at
    public static void main(String... arguments) {
        Duration limit = Duration.ofSeconds(Long.parseLong(arguments[0]));
        for (int i = 1; i < arguments.length; i += 3) {
            var address = new InetSocketAddress(arguments[i + 1], Integer.parseInt(arguments[i + 2]));
            Probe.ask(arguments[i], () -> talk(address, limit));
        }
    }

    private static String talk(InetSocketAddress address, Duration limit) throws Exception {
        var options = ConnectionOptions.defaults().withTimeout(limit).withQueues(4, 4).withMessages(4, 64);
        try (var server = RdmaServer.listen(address, options)) {
            var accepting = server.acceptAsync();
            try (
                    var client = RdmaConnection.connect(address, options);
                    var accepted = accepting.get()) {
                client.messages().send("through");
                return accepted.messages().receiveText(limit).orElse("nothing");
            }
        }
    }
}
