// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// Transport service of a queue pair (`enum ibv_qp_type`; IBA vol. 1, 9.1).
public enum QueuePairType {
    /// `IBV_QPT_RC`, reliable connection: one peer, acknowledged, in order; all operations.
    RC(2),
    /// `IBV_QPT_UC`, unreliable connection: one peer, no acknowledgement; sends and RDMA writes.
    UC(3),
    /// `IBV_QPT_UD`, unreliable datagram: any peer, one packet a message; sends only.
    UD(4);

    private final int value;

    QueuePairType(int value) {
        this.value = value;
    }

    /// The kernel's number.
    public int value() {
        return value;
    }
}
