// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.failure;

import io.verbs4j.abi.failure.Privileges.Capability;
import io.verbs4j.types.Errno;
import java.util.HashMap;
import java.util.Map;

/// Operations other than commands of the device: system calls on device files, sockets and RDMA netlink.
public enum SystemOperation implements Operation {
    /// `open(2)` of the device node.
    OPEN_DEVICE("open device",
            Map.of(
                    Errno.ENOENT,
                    "there is no such node; load the driver (modprobe ib_uverbs rdma_rxe) and create the device (rdma"
                            + " link add rxe0 type rxe netdev NETDEV)",
                    Errno.EACCES,
                    "the process may not read and write the node; udev rules usually give it mode"
                            + " 0666; otherwise join the node's group",
                    Errno.EPERM,
                    "the container's device rules forbid it, or the device belongs to another network namespace",
                    Errno.ENXIO, "the device is being removed",
                    Errno.EIO, "the device is being removed",
                    Errno.ENODEV, "the device is being removed")),
    /// `mmap(2)` of a ring.
    MAP_RING("map ring",
            Map.of(
                    Errno.EINVAL,
                    "the kernel offered no such ring to this context, the ring is already mapped, or"
                            + " the ring is shorter than the requested length",
                    Errno.ENOMEM,
                    "the process has reached a limit: of its address space (ulimit -v), or of its"
                            + " mappings (sysctl vm.max_map_count)")),
    /// Waiting for an event.
    AWAIT_EVENT("await event", Map.of()),
    /// Querying RDMA netlink.
    RDMA_NETLINK("query RDMA netlink", netlink(Map.of())),
    /// Creating a software device.
    ADD_LINK("add link",
            netlink(Map.of(
                    Errno.EPERM,
                    "possible causes: the process lacks CAP_NET_ADMIN (run it as root, outside of"
                            + " user namespaces); the network interface is a VLAN, on which rxe makes no device",
                    Errno.EEXIST, "the network interface already has such a device",
                    Errno.ENFILE, "another RDMA device has this name",
                    Errno.ENODEV, "there is no such network interface in this network namespace",
                    Errno.EINVAL,
                    "the kernel has no driver of this type (modprobe rdma_rxe; distributions keep it in a package of"
                            + " extra modules), or cannot use the name"))),
    /// Deleting a software device.
    DELETE_LINK("delete link",
            netlink(Map.of(
                    Errno.EPERM, "the process lacks CAP_NET_ADMIN (run it as root, outside of user namespaces)",
                    Errno.EINVAL, "the device was removed already, or it is hardware, which cannot be deleted"))),
    /// Capturing packets.
    CAPTURE_PACKETS("capture packets",
            Map.of(
                    Errno.EPERM, "capturing the packets of a network interface needs CAP_NET_RAW; run it as root",
                    Errno.EACCES, "capturing the packets of a network interface needs CAP_NET_RAW; run it as root",
                    Errno.ENODEV, "the network interface does not exist, or was removed",
                    Errno.ENXIO, "the network interface does not exist, or was removed",
                    Errno.EAFNOSUPPORT, "this kernel has no packet sockets; load them (modprobe af_packet)")),
    /// Making a network interface join an IP multicast group.
    JOIN_IP_GROUP("join IP group",
            Map.of(
                    Errno.ENOBUFS,
                    "the process's limit of groups is reached; raise net.ipv4.igmp_max_memberships or leave other"
                            + " groups",
                    Errno.EINVAL, "the address is not that of a multicast group",
                    Errno.ENODEV, "the network interface does not exist, or was removed",
                    Errno.EAFNOSUPPORT, "this kernel does not support IPv6"));

    private final String operation;
    @SuppressWarnings("ImmutableEnumChecker") // Map.of and Map.copyOf
    private final Map<Integer, String> causes;

    SystemOperation(String operation, Map<Integer, String> causes) {
        this.operation = operation;
        this.causes = causes;
    }

    private static Map<Integer, String> netlink(Map<Integer, String> causes) {
        var all = new HashMap<>(causes);
        all.put(Errno.EPROTONOSUPPORT, "the kernel has no RDMA subsystem loaded (modprobe ib_core)");
        return Map.copyOf(all);
    }

    @Override
    public String operation() {
        return operation;
    }

    /// Explains an `EPERM` by the privileges of this thread.
    @Override
    public String explain(int errno) {
        if (errno != Errno.EPERM) {
            return Operation.super.explain(errno);
        }
        Privileges own = Privileges.ofThisThread();
        return switch (this) {
            case ADD_LINK -> own.explainLackOf(
                    Capability.CAP_NET_ADMIN, "the network interface is a VLAN, on which rxe makes no device");
            case DELETE_LINK -> own.explainLackOf(Capability.CAP_NET_ADMIN, "");
            case CAPTURE_PACKETS -> own.explainLackOf(Capability.CAP_NET_RAW, "");
            default -> Operation.super.explain(errno);
        };
    }

    @Override
    public Map<Integer, String> causes() {
        return causes;
    }
}
