// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// Calculates the UDP source port of RoCE v2 packets, by which switches distribute connections over paths. The port is
/// in the range 49152 to 65535 (`rdma_get_udp_sport`, include/rdma/ib_verbs.h).
///
/// If a path has a flow label other than 0, the flow label determines the port. Otherwise, the numbers of the two queue
/// pairs determine the port, which is then the same in both directions. rxe follows these rules for connected queue
/// pairs. For datagrams, rxe uses one port per queue pair, which these rules do not determine.
public final class UdpSourcePort {
    private static final int LOWEST = 0xc000;
    private static final int LOW_BITS = 14;
    private static final int FLOW_LABEL_MASK = 0xfffff;
    private static final int QUEUE_PAIR_NUMBER_MASK = 0xffffff;

    private UdpSourcePort() {}

    /// Returns the port of a flow label.
    ///
    /// @param flowLabel 20 bits
    /// @see "ibv_flow_label_to_udp_sport(3)"
    public static int ofFlowLabel(int flowLabel) {
        Ranges.check("flowLabel", flowLabel, 0, FLOW_LABEL_MASK);
        int folded = (flowLabel ^ flowLabel >>> LOW_BITS) & (1 << LOW_BITS) - 1;
        return folded | LOWEST;
    }

    /// Returns the port of a connection with flow label 0.
    ///
    /// @param one number of one end's queue pair, 24 bits
    /// @param other number of the other end's queue pair, 24 bits
    public static int ofQueuePairs(int one, int other) {
        Ranges.check("one", one, 0, QUEUE_PAIR_NUMBER_MASK);
        Ranges.check("other", other, 0, QUEUE_PAIR_NUMBER_MASK);
        long product = (long) one * other;
        product ^= product >>> 20;
        product ^= product >>> 40;
        return ofFlowLabel((int) (product & FLOW_LABEL_MASK));
    }
}
