// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.cm;

import io.verbs4j.abi.cm.CmEventCode;
import io.verbs4j.simulator.cm.CmIdentifier.State;
import io.verbs4j.simulator.kernel.Refusal;
import io.verbs4j.types.Errno;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;

/// The multicast groups of an identifier.
final class Memberships {
    /// The queue pair number for datagrams to a group.
    private static final int GROUP = 0xff_ffff;

    private final CmIdentifier identifier;
    private final ConnectionManager manager;
    /// Names of events by the numbers of memberships.
    private final Map<Integer, Long> names = new HashMap<>();

    Memberships(CmIdentifier identifier, ConnectionManager manager) {
        this.identifier = identifier;
        this.manager = manager;
    }

    /// Joins a group (`rdma_join_multicast`).
    ///
    /// @param name the name for its events
    /// @return the number of the membership
    int join(long name, InetSocketAddress group) {
        State state = identifier.state();
        Refusal.unless(identifier.hasDevice() && (state == State.BOUND || state == State.ADDRESS_RESOLVED),
                Errno.EINVAL);
        Refusal.unless(identifier.isOfDatagrams() && group.getAddress().isMulticastAddress(), Errno.EINVAL);
        int membership = manager.nextMembership();
        names.put(membership, name);
        manager.environment.simulation().add(() -> {
            if (names.containsKey(membership)) {
                byte[] joined = CmEvents.datagrams(
                        name,
                        membership,
                        CmEventCode.MULTICAST_JOIN,
                        GROUP,
                        CmIdentifier.QKEY,
                        identifier.path(IpAddresses.address(group)),
                        Conversation.NO_DATA);
                identifier.file().post(identifier, identifier, joined, identifier::countReported);
            }
        });
        return membership;
    }

    /// Leaves a group.
    ///
    /// @return whether the identifier was a member
    boolean leave(int membership) {
        return names.remove(membership) != null;
    }

    void clear() {
        names.clear();
    }
}
