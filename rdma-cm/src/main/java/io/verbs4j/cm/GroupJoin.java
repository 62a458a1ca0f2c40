// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.abi.failure.Rollback;
import io.verbs4j.abi.os.IpGroupSocket;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.DatagramPath;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Gid;
import io.verbs4j.types.GidEntry;
import io.verbs4j.types.GidType;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.QueuePairAttribute;
import io.verbs4j.types.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Joins a port to a multicast group, through the connection manager. The connection manager refuses IPv6 groups over
/// RoCE v2 (`cma_iboe_join_multicast`, drivers/infiniband/core/cma.c). For such groups, this class computes the path
/// itself.
final class GroupJoin {
    private final DatagramPort port;
    private final InetSocketAddress group;
    private final boolean sendOnly;

    GroupJoin(DatagramPort port, InetAddress group, boolean sendOnly) {
        this.port = port;
        this.group = new InetSocketAddress(group, 0);
        this.sendOnly = sendOnly;
    }

    MulticastGroup run(Duration timeout) throws InterruptedException {
        try (var rollback = new Rollback()) {
            MulticastGroup joined = run(timeout, rollback);
            rollback.keep();
            return joined;
        }
    }

    private MulticastGroup run(Duration timeout, Rollback rollback) throws InterruptedException {
        Membership membership;
        try {
            membership = rollback.make(() -> port.identifier().join(group, sendOnly), Membership::close);
        } catch (VerbsException e) {
            if (e.errno() != Errno.ENOTSUPP) {
                throw e;
            }
            return alone(rollback);
        }
        return member(awaited(membership, timeout), membership::close, rollback);
    }

    private DatagramPath awaited(Membership membership, Duration timeout) throws InterruptedException {
        String operation = "join " + group.getAddress().getHostAddress();
        try {
            CmEvent event = membership.outcome().get(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS);
            if (event instanceof CmEvent.MulticastJoined joined) {
                return joined.path();
            }
            throw CmFailures.required(operation, event);
        } catch (TimeoutException e) {
            throw CmFailures.timeout(operation, timeout, "the subnet manager has not answered");
        } catch (CancellationException e) {
            throw new IllegalStateException(membership.identifier() + " is closed", e);
        } catch (ExecutionException e) {
            throw new AssertionError("the future never fails", e);
        }
    }

    private MulticastGroup alone(Rollback rollback) {
        Runnable leave = () -> {};
        IpGroupSocket ipGroup = sendOnly ? null : IpGroups.join(port.identifier(), group);
        if (ipGroup != null) {
            leave = ipGroup::close;
            rollback.add(leave);
        }
        GidEntry source = source();
        int qkey = port.queuePair().query(QueuePairAttribute.QKEY).qkey();
        var path = AddressVector.roce(source.port(), source.index(), Gid.of(group.getAddress()));
        return member(new DatagramPath(DatagramPath.MULTICAST, qkey, path, PrivateData.NONE), leave, rollback);
    }

    private GidEntry source() {
        Gid local = Gid.of(port.localAddress().getAddress());
        return port.context()
                .gids()
                .stream()
                .filter(entry -> entry.type().equals(GidType.ROCE_V2) && entry.gid().equals(local))
                .findFirst()
                .orElseThrow(() -> new VerbsException(
                        "join " + group.getAddress().getHostAddress(),
                        Errno.EADDRNOTAVAIL,
                        "the device has no RoCE v2 GID for " + local));
    }

    private MulticastGroup member(DatagramPath path, Runnable leave, Rollback rollback) {
        DatagramDestination destination = rollback.make(
                () -> DatagramDestination.of(port.protectionDomain(), path), DatagramDestination::close);
        var joined = new MulticastGroup(port, group.getAddress(), leave, destination, !sendOnly);
        port.groups().add(joined);
        return joined;
    }
}
