// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.failure;

import io.verbs4j.types.Errno;
import java.util.Map;

/// Contains the meanings of error numbers that are common to many commands.
public final class GeneralCauses {
    /// The meanings of error numbers when opening a file.
    private static final Map<Integer, String> OF_FILES = Map.of(
            Errno.EMFILE, "the process has too many open files (ulimit -n)",
            Errno.ENFILE, "the system has too many open files");

    /// The meaning of `EACCES` for all verbs.
    public static final String FOREIGN_PROCESS =
            "the process forked or changed its credentials after it opened the device: the kernel refuses any further"
                    + " write() from it";

    /// The meanings of error numbers of all verbs. A verb's own meanings take precedence.
    public static final Map<Integer, String> OF_VERBS = Map.ofEntries(
            Map.entry(Errno.EBADF, "the device is closed"),
            // Of all commands, only rdmacg_try_charge (kernel/cgroup/rdma.c) returns this.
            Map.entry(Errno.EAGAIN,
                    "the process's control group (of a container, for example) or a parent group has"
                            + " reached its limit of open devices (hca_handle) or objects (hca_object); the"
                            + " group's file rdma.max contains the limits, and its file rdma.current the present"
                            + " numbers; raise the limit, or close unused objects"),
            Map.entry(Errno.EINVAL,
                    "possible causes: an argument that the kernel or the driver does not accept; two objects of the"
                            + " request that do not belong together; the device already has its maximum number of such"
                            + " objects"),
            Map.entry(Errno.EOVERFLOW, "a length or a count of the request is larger than the kernel accepts"),
            Map.entry(Errno.ENOENT,
                    "the kernel has no object with this handle: it was destroyed, or belongs to another context"),
            Map.entry(Errno.EBUSY, "the object is in use, by another object or by a call in progress"),
            Map.entry(Errno.EACCES, FOREIGN_PROCESS),
            Map.entry(Errno.EIO, "the device was removed, or its driver is being unloaded"),
            Map.entry(Errno.ENODEV, "the device was removed, or its driver is being unloaded"),
            Map.entry(Errno.ENXIO, "the device was removed, or its driver is being unloaded"),
            Map.entry(Errno.EPROTONOSUPPORT, "this kernel does not support the command, or one of its attributes"),
            Map.entry(Errno.ENOTTY, "this kernel has no ioctl interface for verbs"),
            Map.entry(Errno.EOPNOTSUPP, "the driver does not support this operation, or not these arguments"),
            Map.entry(Errno.ENOSPC, "the kernel expects longer request or response structs than this library sends"),
            Map.entry(Errno.EFAULT, "an address in the request is not mapped, or not writable"),
            Map.entry(Errno.ENOMEM, "the kernel is out of memory, or the device has its maximum number of such"
                    + " objects"),
            Map.entry(Errno.EMFILE, OF_FILES.get(Errno.EMFILE)),
            Map.entry(Errno.ENFILE, OF_FILES.get(Errno.ENFILE)));

    /// The meanings of error numbers of all commands of the connection manager. A command's own meanings take
    /// precedence.
    public static final Map<Integer, String> OF_CONNECTION_MANAGER = Map.ofEntries(
            Map.entry(Errno.ENOENT, "the kernel has no such identifier: it was destroyed"),
            Map.entry(Errno.EINVAL, "the identifier is not in a state for this, or belongs to another channel"),
            Map.entry(Errno.ENXIO, "the identifier is being destroyed, or its RDMA device was removed"),
            Map.entry(Errno.ENOMEM, "the kernel is out of memory"),
            Map.entry(Errno.ENODATA,
                    "the address was removed from the interface, so the device has no GID of it"),
            Map.entry(Errno.EOPNOTSUPP, "the device's driver or link layer does not support this"),
            Map.entry(Errno.EPROTONOSUPPORT, "this kernel does not support port spaces of this kind"),
            Map.entry(Errno.EAFNOSUPPORT, "the address is neither IPv4 nor IPv6"),
            Map.entry(Errno.EACCES,
                    "the process changed its credentials after it opened the channel: the kernel refuses any further"
                            + " command from it"),
            Map.entry(Errno.EIO, "the RDMA device of the identifier was removed"),
            Map.entry(Errno.ENODEV,
                    "the identifier has no RDMA device: resolve or bind a specific address first"),
            Map.entry(Errno.EBADF, "the channel is closed"),
            Map.entry(Errno.ENOSYS, "this kernel does not support the command or the option"),
            Map.entry(Errno.ENOSPC, "the kernel expects a longer response struct than this library offers"),
            Map.entry(Errno.EFAULT, "an address in the request is not mapped, or not writable"));

    /// The meanings of error numbers of a command with a path to a peer.
    public static final Map<Integer, String> OF_PATHS = Map.of(
            Errno.ENODATA, "the source GID index refers to an empty slot of the GID table",
            Errno.ETIMEDOUT,
            "the peer did not respond: its Ethernet address could not be resolved within a second; check"
                    + " destination GID, route and that the peer's interface is up",
            Errno.EADDRNOTAVAIL, "the address of the source GID is no longer on its network interface",
            Errno.ENOBUFS,
            "the kernel has no memory to resolve the peer's Ethernet address, or is resolving too many addresses",
            Errno.ENETUNREACH, "no route to the destination GID from the interface of the source GID",
            Errno.EHOSTUNREACH, "no route to the destination GID from the interface of the source GID",
            Errno.EOPNOTSUPP, "an attribute that the driver does not support",
            Errno.EPERM, "a Q_Key with bit 31 set needs CAP_NET_RAW");

    /// The meanings of error numbers of a command that creates or resizes a completion queue.
    public static final Map<Integer, String> OF_COMPLETION_QUEUES = Map.of(
            Errno.EBADF, "the completion channel is closed or belongs to another context",
            Errno.EOPNOTSUPP, "flags that the driver does not support");

    private GeneralCauses() {}

    /// Returns the likely cause of a failure to open or read a file, which has just occurred in this thread. Empty if
    /// the cause is unknown.
    ///
    /// @param errno the error number, positive
    public static String ofFile(int errno) {
        String cause = OF_FILES.getOrDefault(errno, "");
        return errno == Errno.EPERM ? Privileges.ofThisThread().withFilter(cause) : cause;
    }
}
