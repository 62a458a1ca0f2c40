// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.management;

import io.verbs4j.Context;
import io.verbs4j.OpenFile;
import io.verbs4j.QueuePair;
import io.verbs4j.bench.NullDevice;
import io.verbs4j.types.Access;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import java.io.IOException;

/// A program to be watched: with two receives in a ring of a device that does nothing, until its input ends.
final class WatchedProbe {
    private WatchedProbe() {}

    static Context open() {
        Context context = OpenFile.asRxe(new NullDevice());
        var domain = context.allocateProtectionDomain();
        var queue = context.createCompletionQueue(16);
        var memory = domain.allocate(4096, Access.LOCAL_WRITE);
        QueuePair pair = domain.reliableConnection(queue).create();
        pair.modify(
                QueuePairAttributes.builder().state(QueuePairState.INIT).pkeyIndex(0).port(1).accessFlags(0).build());
        try (var batch = pair.beginReceive()) {
            batch.workRequestId(77).receive(memory, 0, 64);
            batch.workRequestId(78).receive(memory, 64, 64);
            batch.submit();
        }
        return context;
    }

    public static void main(String[] arguments) throws IOException {
        try (Context _ = open()) {
            System.out.println("ready");
            while (System.in.read() >= 0) {
                // The parent's end of the pipe is what keeps it.
            }
        }
    }
}
