// SPDX-License-Identifier: Apache-2.0
import io.verbs4j.*;
import io.verbs4j.tracing.*;
import io.verbs4j.types.*;

void main() {
    try (var _ = Tracing.start(this::show, false);
            var context = Devices.open("rxe0");
            var domain = context.allocateProtectionDomain();
            var queue = context.createCompletionQueue(16);
            var pair = domain.reliableConnection(queue).create()) {
        IO.println("created: " + pair.state());
        pair.modify(QueuePairAttributes.builder()
                .state(QueuePairState.INIT)
                .pkeyIndex(0)
                .port(1)
                .accessFlags(Access.mask(Access.REMOTE_WRITE))
                .build());
        IO.println("now receives can be posted: " + pair.state());

        // The peer is the queue pair itself: it sends to its own number, over GID 1.
        pair.modify(QueuePairAttributes.builder()
                .state(QueuePairState.RTR)
                .addressVector(AddressVector.roce(1, 1, context.gid(1, 1).gid()))
                .pathMtu(Mtu.MTU_1024)
                .destinationQueuePairNumber(pair.number())
                .receivePsn(0x1000)
                .maxDestinationReadAtomic(16)
                .minRnrTimer(12)
                .build());
        IO.println("now messages arrive: " + pair.state());
        pair.modify(QueuePairAttributes.builder()
                .state(QueuePairState.RTS)
                .sendPsn(0x1000)
                .timeout(14)
                .retryCount(6)
                .rnrRetry(6)
                .maxReadAtomic(16)
                .build());
        IO.println("now sends can be posted: " + pair.state());
    }
}

void show(TraceEntry entry) {
    if (entry.command().endsWith("MODIFY_QP")) {
        IO.println("  MODIFY_QP(" + entry.arguments() + ")");
    }
}
