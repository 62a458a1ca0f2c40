// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor.acceptance;

import io.verbs4j.Device;
import io.verbs4j.types.CompletionOpcode;
import io.verbs4j.types.QueuePairType;
import java.util.function.UnaryOperator;

/// Checks that a port works.
public final class SelfTest {
    private static final int LENGTH = 64;
    private static final int SEED = 0x5a;

    private SelfTest() {}

    /// Sends a message from one queue pair of a port to another.
    ///
    /// @throws RuntimeException if the message does not arrive
    public static void run(Device device, int port) throws InterruptedException {
        try (
                Bench bench = new Bench(device, port, LENGTH);
                Pair pair = bench.pair(QueuePairType.RC, UnaryOperator.identity())) {
            pair.prepare(0, LENGTH, SEED);
            pair.right().receive(1, 0, LENGTH);
            pair.left().post(Peer.request(2).send().local(pair.left().memory(), 0, LENGTH));
            pair.left().success(2, CompletionOpcode.SEND);
            pair.right().success(1, CompletionOpcode.RECEIVE);
            pair.requireSame(0, LENGTH);
        }
    }
}
