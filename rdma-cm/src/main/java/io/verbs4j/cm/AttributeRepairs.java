// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.types.AddressVector;
import io.verbs4j.types.QueuePairAttribute;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;

/// Makes attributes that work of those that the kernel hands out.
final class AttributeRepairs {
    /// `IB_EVENT_COMM_EST`.
    static final int COMMUNICATION_ESTABLISHED = 4;

    private AttributeRepairs() {}

    /// For connections, gives the way to RTR an RNR timer. For datagrams the kernel answers the same whatever state is asked for: all
    /// of it leads to INIT, and from there on the state, and a first packet sequence number, are enough.
    static QueuePairAttributes repaired(QueuePairAttributes answer, QueuePairType type, QueuePairState state) {
        if (type == QueuePairType.UD) {
            return switch (state) {
                case RTR -> QueuePairAttributes.builder().state(QueuePairState.RTR).build();
                case RTS -> QueuePairAttributes.builder().state(QueuePairState.RTS).sendPsn(0).build();
                default ->
                    QueuePairAttributes.builder()
                            .state(QueuePairState.INIT)
                            .pkeyIndex(answer.pkeyIndex())
                            .port(answer.port())
                            .qkey(answer.qkey())
                            .build();
            };
        }
        if (!answer.has(QueuePairAttribute.MIN_RNR_TIMER) || answer.minRnrTimer() != 0) {
            return answer;
        }
        var repaired = QueuePairAttributes.builder()
                .state(answer.state())
                .receivePsn(answer.receivePsn())
                .destinationQueuePairNumber(answer.destinationQueuePairNumber())
                .maxDestinationReadAtomic(answer.maxDestinationReadAtomic())
                .minRnrTimer(Identifier.MIN_RNR_TIMER);
        AddressVector path = answer.addressVector();
        if (path != null) {
            repaired.addressVector(path);
        }
        if (answer.pathMtu() != null) {
            repaired.pathMtu(answer.pathMtu());
        }
        return repaired.build();
    }
}
