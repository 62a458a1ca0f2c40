// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static java.lang.foreign.MemoryLayout.paddingLayout;
import static java.lang.foreign.MemoryLayout.sequenceLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.MemoryLayout.unionLayout;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.StructLayout;
import java.lang.foreign.UnionLayout;

/// `struct rxe_av` (include/uapi/rdma/rdma_user_rxe.h): an address vector inside a datagram's WQE.
///
/// Here only because it decides the size of [RxeSendWr]. It is how a process named a datagram's destination before the
/// kernel gave address handles a number (Linux 5.14); the kernel still reads it when `ah_num` is 0 (`rxe_get_av`,
/// rxe_av.c), which [SendRing] never lets happen.
final class RxeAv {
    static final StructLayout LAYOUT = structLayout(
            JAVA_BYTE.withName("port_num"),
            JAVA_BYTE.withName("network_type"),
            sequenceLayout(6, JAVA_BYTE).withName("dmac"),
            structLayout(
                    sequenceLayout(16, JAVA_BYTE).withName("dgid"),
                    JAVA_INT.withName("flow_label"),
                    JAVA_BYTE.withName("sgid_index"),
                    JAVA_BYTE.withName("hop_limit"),
                    JAVA_BYTE.withName("traffic_class"),
                    paddingLayout(1).withName("hole"))
                    .withName("grh"),
            socketAddress().withName("sgid_addr"),
            socketAddress().withName("dgid_addr"))
            .withName("rxe_av");

    private RxeAv() {}

    private static UnionLayout socketAddress() {
        return unionLayout(
                sequenceLayout(4, JAVA_INT).withName("_sockaddr_in"),
                sequenceLayout(7, JAVA_INT).withName("_sockaddr_in6"));
    }
}
