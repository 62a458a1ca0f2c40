// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// State of a queue pair (`enum ibv_qp_state`; IBA vol. 1, 10.3.1).
public enum QueuePairState {
    /// `IBV_QPS_RESET`: the state of a new queue pair; the program may post nothing.
    RESET(0),
    /// `IBV_QPS_INIT`: the program may post receives; the device processes no packets.
    INIT(1),
    /// `IBV_QPS_RTR`, ready to receive: the device processes the peer's requests.
    RTR(2),
    /// `IBV_QPS_RTS`, ready to send: the device also processes sends.
    RTS(3),
    /// `IBV_QPS_SQD`, send queue drained: the device finishes the started sends, and starts no others.
    SQD(4),
    /// `IBV_QPS_SQE`, send queue error (UC and UD): the device flushes sends, but still receives. rxe never enters this
    /// state.
    SQE(5),
    /// `IBV_QPS_ERR`, error: the device flushes all posted work requests.
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

    /// Returns the state for a kernel number.
    ///
    /// @throws IllegalArgumentException if the value is not one of the specification's seven states
    public static QueuePairState of(int value) {
        if (value < 0 || value >= BY_VALUE.length) {
            throw new IllegalArgumentException("not a queue pair state: value=" + value);
        }
        return BY_VALUE[value];
    }
}
