// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// State of a queue pair (`enum ibv_qp_state`; IBA vol. 1, 10.3.1).
public enum QueuePairState {
    /// `IBV_QPS_RESET`: as created; nothing may be posted.
    RESET(0),
    /// `IBV_QPS_INIT`: receives may be posted, nothing is processed.
    INIT(1),
    /// `IBV_QPS_RTR`, ready to receive: requests from the peer are processed.
    RTR(2),
    /// `IBV_QPS_RTS`, ready to send: fully working.
    RTS(3),
    /// `IBV_QPS_SQD`, send queue drained: new sends wait.
    SQD(4),
    /// `IBV_QPS_SQE`, send queue error (UC and UD): sends are flushed, receives still work. rxe never enters it.
    SQE(5),
    /// `IBV_QPS_ERR`: all posted work requests are flushed with an error completion.
    ERR(6);

    private static final QueuePairState[] BY_VALUE = values();

    private final int value;

    QueuePairState(int value) {
        this.value = value;
    }

    /// Returns the kernel's number.
    public int value() {
        return value;
    }

    /// Returns the state for a kernel value.
    ///
    /// @throws IllegalArgumentException if the value is not one of the specification's seven states
    public static QueuePairState of(int value) {
        if (value < 0 || value >= BY_VALUE.length) {
            throw new IllegalArgumentException("not a queue pair state: value=" + value);
        }
        return BY_VALUE[value];
    }
}
