// SPDX-License-Identifier: Apache-2.0
import io.verbs4j.*;
import io.verbs4j.types.*;

void main() {
    try (var context = Devices.open("rxe0");
            var domain = context.allocateProtectionDomain();
            var queue = context.createCompletionQueue(16);
            var pair = domain.reliableConnection(queue).create()) {
        refused(pair, QueuePairAttributes.builder().state(QueuePairState.RTS).build());
        refused(pair, QueuePairAttributes.builder().state(QueuePairState.INIT).port(1).build());
        refused(pair, QueuePairAttributes.builder().state(QueuePairState.ERR).build());
    }
}

void refused(QueuePair pair, QueuePairAttributes attributes) {
    try {
        pair.modify(attributes);
    } catch (VerbsException e) {
        IO.println(e.getMessage());
    }
}
