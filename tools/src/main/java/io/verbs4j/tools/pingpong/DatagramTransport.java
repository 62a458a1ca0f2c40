// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.AddressHandle;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.GlobalRouteHeader;
import io.verbs4j.MemoryRegion;
import io.verbs4j.PreparedQueuePair;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePairBuilder;
import io.verbs4j.types.AddressVector;

/// UD: datagrams with a destination each.
///
/// @param devicePort the local port
/// @param size message size; it must fit into one packet
/// @param serviceLevel service level of the path
record DatagramTransport(int devicePort, int size, int serviceLevel) implements Transport {
    /// C's Q_Key at both ends.
    static final int QKEY = 0x11111111;

    @Override
    public void check(Context context) {
        DeviceLimits.checkDatagram(size, context, devicePort);
    }

    @Override
    public int headerBytes() {
        return GlobalRouteHeader.BYTES;
    }

    @Override
    public QueuePairBuilder queuePair(ProtectionDomain domain, CompletionQueue queue) {
        return domain.datagram(queue).qkey(QKEY);
    }

    /// Prints C's line, which has a colon before the GID for this transport only.
    @Override
    public String ownAddress(PingPongAddress own) {
        return own.toString().replace(", GID", ": GID");
    }

    @Override
    public Messages connect(
            ProtectionDomain domain, PreparedQueuePair prepared, PingPongAddress remote, MemoryRegion memory) {
        int ownIndex = prepared.gidSelection().entry().index();
        AddressHandle path = domain.createAddressHandle(
                AddressVector.roce(devicePort, ownIndex, remote.gid()).withServiceLevel(serviceLevel));
        try {
            return new DatagramMessages(prepared.start(), path, remote.queuePairNumber(), QKEY, memory);
        } catch (RuntimeException | Error e) {
            path.close();
            throw e;
        }
    }
}
