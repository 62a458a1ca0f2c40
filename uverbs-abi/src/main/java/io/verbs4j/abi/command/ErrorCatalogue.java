// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.command;

import io.verbs4j.types.Errno;

/// What an error number of a verb usually means and what to do about it. Collected from the kernel's sources
/// (drivers/infiniband/core/uverbs_*.c, drivers/infiniband/sw/rxe) and by provoking each error on rxe.
///
/// The texts are hints: the kernel gives one number for many causes.
public final class ErrorCatalogue {
    private ErrorCatalogue() {}

    /// The likely cause and remedy in a sentence, without a full stop; empty if nothing is known.
    ///
    /// @param errno the error number, positive
    public static String explain(Verb verb, int errno) {
        String specific = specific(verb, errno);
        return specific.isEmpty() ? general(errno) : specific;
    }

    /// Whether the number means something particular for this verb, beyond what it means for all.
    public static boolean isSpecific(Verb verb, int errno) {
        return !specific(verb, errno).isEmpty();
    }

    private static String specific(Verb verb, int errno) {
        return switch (verb) {
            case OPEN_DEVICE -> openDevice(errno);
            case GET_CONTEXT ->
                errno == Errno.EINVAL ? "this open file has a context already; open the device again" : "";
            case QUERY_PORT -> errno == Errno.EINVAL ? "there is no such port; ports count from 1" : "";
            case QUERY_GID_TABLE ->
                errno == Errno.EINVAL ? "the table has more valid entries than there was room for" : "";
            case QUERY_GID_ENTRY -> gidEntry(errno);
            case REGISTER_MEMORY -> registerMemory(errno);
            case REREGISTER_MEMORY ->
                errno == Errno.EOPNOTSUPP
                        ? "the driver cannot change this of a region: rxe on 6.1 nothing, later the protection domain and"
                                + " the access rights but not the memory"
                        : "";
            case DEREGISTER_MEMORY -> errno == Errno.EINVAL ? "memory windows are bound to the region" : "";
            case ADVISE_MEMORY ->
                errno == Errno.EOPNOTSUPP ? "the driver has no on-demand paging, to which the advice belongs" : "";
            case ALLOCATE_MEMORY_WINDOW -> errno == Errno.EINVAL ? "a memory window is of type 1 or 2" : "";
            case CREATE_ADDRESS_HANDLE, MODIFY_QUEUE_PAIR -> path(verb, errno);
            case CREATE_COMPLETION_QUEUE, RESIZE_COMPLETION_QUEUE -> completionQueue(verb, errno);
            case CREATE_SHARED_RECEIVE_QUEUE ->
                errno == Errno.EINVAL
                        ? "a size of 0 or over the device's limits (max_srq_wr, max_srq_sge of query device)"
                        : "";
            case MODIFY_SHARED_RECEIVE_QUEUE ->
                errno == Errno.EINVAL
                        ? "a size over the device's limit or below what waits in the queue, a limit over the size, or a"
                                + " queue in error"
                        : "";
            case CREATE_QUEUE_PAIR -> createQueuePair(errno);
            case DEALLOCATE_PROTECTION_DOMAIN, DESTROY_COMPLETION_QUEUE, DESTROY_SHARED_RECEIVE_QUEUE ->
                errno == Errno.EBUSY ? "other objects still refer to it; destroy them first" : "";
            case DESTROY_QUEUE_PAIR ->
                errno == Errno.EBUSY
                        ? "it is still a member of multicast groups; detach it first, with the LID of the attach"
                        : "";
            case POST_SEND -> postSend(errno);
            case ATTACH_MULTICAST ->
                errno == Errno.EINVAL ? "the GID names no multicast group, or the queue pair is not UD" : "";
            case DETACH_MULTICAST ->
                errno == Errno.EINVAL ? "the queue pair is not a member by this GID and LID" : "";
            case MAP_RING ->
                errno == Errno.EINVAL
                        ? "the kernel offered no such ring to this context, it is mapped already, or it is shorter"
                        : "";
            case RDMA_NETLINK -> netlink(errno);
            case ADD_LINK -> addLink(errno);
            case DELETE_LINK -> deleteLink(errno);
            case CAPTURE_PACKETS -> capturePackets(errno);
            case JOIN_IP_GROUP -> joinIpGroup(errno);
            default -> "";
        };
    }

    private static String openDevice(int errno) {
        return switch (errno) {
            case Errno.ENOENT ->
                "there is no such node; load the driver (modprobe ib_uverbs rdma_rxe) and create the device (rdma link"
                        + " add rxe0 type rxe netdev NETDEV)";
            case Errno.EACCES ->
                "no permission to read and write the node; udev rules usually make it mode 0666, else ask for the group of"
                        + " the node";
            case Errno.EPERM ->
                "the device belongs to another network namespace, or the container's device rules forbid it";
            case Errno.ENXIO, Errno.EIO, Errno.ENODEV -> "the device is being removed";
            default -> "";
        };
    }

    private static String gidEntry(int errno) {
        return switch (errno) {
            case Errno.ENODATA -> "this slot of the GID table is empty; an IP address on the interface fills one";
            case Errno.EINVAL -> "there is no such port, or the index is beyond the table";
            default -> "";
        };
    }

    private static String registerMemory(int errno) {
        return switch (errno) {
            case Errno.EINVAL ->
                "a length of 0, a range that wraps around, an iova at another offset in its page than the address, remote"
                        + " write or atomic without local write, or an access right that this kernel lacks";
            case Errno.EFAULT ->
                "the range is not mapped, is read-only and shall be written, or is a shared mapping of an ordinary file,"
                        + " which newer kernels do not pin; use anonymous, tmpfs or huge-page memory";
            case Errno.EOPNOTSUPP -> "the driver does not have one of the access rights";
            case Errno.ENOMEM, Errno.EPERM ->
                "the memory cannot be locked: RLIMIT_MEMLOCK (ulimit -l) is too small";
            default -> "";
        };
    }

    private static String joinIpGroup(int errno) {
        return switch (errno) {
            case Errno.ENOBUFS ->
                "the process's limit of groups is reached; raise net.ipv4.igmp_max_memberships or leave other groups";
            case Errno.EINVAL -> "the address is no multicast group";
            case Errno.ENODEV -> "the network interface does not exist, or no longer";
            case Errno.EAFNOSUPPORT -> "this kernel has no IPv6";
            default -> "";
        };
    }

    private static String capturePackets(int errno) {
        return switch (errno) {
            case Errno.EPERM, Errno.EACCES ->
                "looking at all packets of a network interface needs CAP_NET_RAW; run it as root";
            case Errno.ENODEV, Errno.ENXIO -> "the network interface does not exist, or no longer";
            case Errno.EAFNOSUPPORT -> "this kernel has no packet sockets; load them (modprobe af_packet)";
            default -> "";
        };
    }

    private static String path(Verb verb, int errno) {
        return switch (errno) {
            case Errno.ENODATA -> "the source GID index names an empty slot of the GID table";
            case Errno.ETIMEDOUT ->
                "the peer's address did not answer: its Ethernet address could not be resolved within a second; check"
                        + " destination GID, route and that the peer's interface is up";
            case Errno.ENETUNREACH, Errno.EHOSTUNREACH ->
                "no route to the destination GID from the interface of the source GID";
            case Errno.EINVAL ->
                verb == Verb.CREATE_ADDRESS_HANDLE
                        ? "no GID, a port that does not exist, a source GID index beyond the table, or source and"
                                + " destination of different IP families"
                        : "attributes that the transition does not allow or that it misses, a value out of range, or a path"
                                + " whose source and destination are of different IP families";
            case Errno.EOPNOTSUPP -> "an attribute that the driver does not have";
            case Errno.EPERM -> "a Q_Key with bit 31 set needs CAP_NET_RAW";
            default -> "";
        };
    }

    private static String completionQueue(Verb verb, int errno) {
        return switch (errno) {
            case Errno.EINVAL ->
                verb == Verb.CREATE_COMPLETION_QUEUE
                        ? "no entries or more than the device's limit (max_cqe of query device), or a completion vector that"
                                + " does not exist"
                        : "no entries, more than the device's limit (max_cqe of query device), or fewer than wait in it";
            case Errno.EBADF -> "the completion channel is closed or belongs to another context";
            case Errno.EOPNOTSUPP -> "flags that the driver does not have";
            default -> "";
        };
    }

    private static String createQueuePair(int errno) {
        return switch (errno) {
            case Errno.EINVAL ->
                "a size over the device's limits (max_qp_wr, max_sge of query device, inline data), or objects of"
                        + " different protection domains";
            case Errno.EOPNOTSUPP -> "the driver does not have this type of queue pair";
            case Errno.EPERM -> "a raw packet queue pair needs CAP_NET_RAW";
            default -> "";
        };
    }

    private static String postSend(int errno) {
        return errno == Errno.EINVAL
                ? "the queue pair is not in RTS, SQD or ERR; what was posted waits in the ring"
                : "";
    }

    private static String netlink(int errno) {
        return errno == Errno.EPROTONOSUPPORT ? "the kernel has no RDMA subsystem loaded (modprobe ib_core)" : "";
    }

    private static String addLink(int errno) {
        return switch (errno) {
            case Errno.EPERM ->
                "it needs CAP_NET_ADMIN (run it as root, outside of user namespaces), and rxe takes no VLAN interface";
            case Errno.EEXIST -> "the network interface has such a device already";
            case Errno.ENFILE -> "another RDMA device has this name";
            case Errno.ENODEV -> "there is no such network interface in this network namespace";
            case Errno.EINVAL ->
                "the kernel has no driver of this type (modprobe rdma_rxe; distributions keep it in a package of extra"
                        + " modules), or cannot use the name";
            default -> netlink(errno);
        };
    }

    private static String deleteLink(int errno) {
        return switch (errno) {
            case Errno.EPERM -> "it needs CAP_NET_ADMIN (run it as root, outside of user namespaces)";
            case Errno.EINVAL -> "there is no such device any more, or it is hardware, which cannot be deleted";
            default -> netlink(errno);
        };
    }

    private static String general(int errno) {
        return switch (errno) {
            case Errno.EBADF -> "the device is closed";
            case Errno.ENOENT -> "the kernel knows no object of this handle: it was destroyed, or is another context's";
            case Errno.EBUSY -> "the object is in use, by another object or by a call that runs at this moment";
            case Errno.EACCES ->
                "the process forked or changed its credentials after it opened the device: the kernel takes no write()"
                        + " from it any more";
            case Errno.EIO, Errno.ENODEV, Errno.ENXIO -> "the device was removed, or its driver is being unloaded";
            case Errno.EPROTONOSUPPORT -> "this kernel does not have the command, or one of its attributes";
            case Errno.ENOTTY -> "this kernel has no ioctl interface for verbs";
            case Errno.EOPNOTSUPP -> "the driver does not have this operation, or not with these arguments";
            case Errno.ENOSPC -> "the kernel expects longer request or answer structs than this library sends";
            case Errno.EFAULT -> "an address in the request is not mapped, or not writable";
            case Errno.ENOMEM -> "the kernel is out of memory, or the device of objects of this kind";
            case Errno.EMFILE -> "the process has too many open files (ulimit -n)";
            case Errno.ENFILE -> "the system has too many open files";
            default -> "";
        };
    }
}
