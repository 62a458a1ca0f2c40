// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

/// Computes the UDP source port, which lets routers distinguish flows, from the flow label or the queue pair numbers.
final class SourcePort {
    /// `IB_ROCE_UDP_ENCAP_VALID_PORT_MIN`, ib_verbs.h.
    private static final int LOWEST = 0xc000;

    private SourcePort() {}

    static int of(Path path, int number, int peer) {
        int label = path.flowLabel();
        if (label == 0) {
            long product = (long) number * peer;
            product ^= product >>> 20;
            product ^= product >>> 40;
            label = (int) product & 0xf_ffff;
        }
        return ((label ^ (label >>> 14)) & 0x3fff) | LOWEST;
    }
}
