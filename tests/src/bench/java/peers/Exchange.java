// SPDX-License-Identifier: Apache-2.0
package peers;

import java.io.IOException;

/// The measured exchange of messages, the same for each library.
///
/// A ping-pong takes as long as half of a round trip; a stream, as long as a message. The clock is read only at the
/// start and at the end, because it is slow on user-mode Linux.
final class Exchange {
    private static final int WINDOW = 16;
    private static final int REPORT = 1_000_000;

    /// One end of a connection. Counts are those since the start.
    interface End {
        /// Posts a send.
        void send() throws IOException;

        /// Waits until this many sends have completed.
        void awaitSent(long count) throws IOException;

        /// Waits until this many messages have arrived.
        void awaitReceived(long count) throws IOException;
    }

    private final boolean client;
    private final boolean stream;
    private final int bytes;
    private final int operations;
    private final int warmUp;
    private long sends;
    private long receives;

    /// @param arguments the first is `client` or `server`
    /// @param first index of `latency|stream`, which the bytes, operations and operations before the measurement follow
    Exchange(String[] arguments, int first) {
        client = arguments[0].equals("client");
        stream = arguments[first].equals("stream");
        bytes = Integer.parseInt(arguments[first + 1]);
        operations = Integer.parseInt(arguments[first + 2]);
        warmUp = Integer.parseInt(arguments[first + 3]);
    }

    boolean isClient() {
        return client;
    }

    int bytes() {
        return bytes;
    }

    void run(End end) throws IOException {
        exchange(end, warmUp);
        long start = System.nanoTime();
        exchange(end, operations);
        double nanos = System.nanoTime() - start;
        if (client) {
            System.out.printf("= %.3f%n", nanos / operations / (stream ? 1e3 : 2e3));
        } else {
            end.awaitSent(sends); // the last message has reached the client
        }
    }

    private void exchange(End end, int count) throws IOException {
        for (int i = 1; i <= count; i++) {
            if (client) {
                send(end);
            }
            if (!client || !stream) {
                end.awaitReceived(++receives);
            }
            if (!client && !stream) {
                send(end);
            }
            if (i % REPORT == 0) {
                System.out.println("after " + i + " messages");
            }
        }
        if (stream && client) {
            end.awaitReceived(++receives); // the server has received all
        } else if (stream) {
            send(end);
        }
    }

    private void send(End end) throws IOException {
        end.awaitSent(++sends - WINDOW);
        end.send();
    }
}
