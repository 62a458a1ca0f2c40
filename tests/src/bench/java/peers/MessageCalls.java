// SPDX-License-Identifier: Apache-2.0
package peers;

import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.Messages;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.cm.RdmaServer;
import java.net.InetSocketAddress;
import java.time.Duration;

/// Calls by messages without copies. Results arrive in the order of the calls.
final class MessageCalls implements Calls.Library {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration LONG = Duration.ofDays(1);
    private static final ConnectionOptions OPTIONS = ConnectionOptions.defaults().withMessages(32, Calls.BYTES);

    private final Messages messages;

    MessageCalls(InetSocketAddress address) throws InterruptedException {
        RdmaServer server = RdmaServer.listen(address, OPTIONS);
        Thread.ofPlatform().daemon().start(() -> {
            try {
                serve(server.accept().messages());
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        messages = RdmaConnection.connect(address, OPTIONS).messages();
    }

    private static void serve(Messages messages) throws InterruptedException {
        while (true) {
            try (var argument = messages.take(LONG); var result = messages.compose(TIMEOUT)) {
                result.segment().copyFrom(argument.segment());
                result.send(Calls.BYTES);
            }
        }
    }

    @Override
    public void call(int calls, int window) throws InterruptedException {
        int begun = 0;
        for (int done = 0; done < calls; done++) {
            for (; begun < calls && begun - done < window; begun++) {
                try (var argument = messages.compose(TIMEOUT)) {
                    argument.send(Calls.BYTES);
                }
            }
            messages.take(TIMEOUT).close();
        }
    }
}
