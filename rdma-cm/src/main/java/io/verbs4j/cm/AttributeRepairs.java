// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.types.AddressVector;
import io.verbs4j.types.QueuePairAttribute;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;

/// Repairs queue pair attributes that the kernel returns.
final class AttributeRepairs {
    /// `IB_EVENT_COMM_EST`.
    static final int COMMUNICATION_ESTABLISHED = 4;

    private AttributeRepairs() {}

    /// For connections, adds an RNR timer to the attributes for RTR. For datagrams, the kernel returns the attributes
    /// for INIT, even if RTR or RTS is requested. RTR and RTS then need only the state and a first packet sequence
    /// number.
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
