// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.discovery;

import io.verbs4j.abi.device.NetlinkFile;
import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.abi.failure.Operation;
import io.verbs4j.abi.failure.SystemOperation;
import io.verbs4j.abi.os.NetlinkSocket;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.LinuxStructs;
import io.verbs4j.abi.uapi.NetlinkFlags;
import io.verbs4j.abi.uapi.RdmaDriver;
import io.verbs4j.abi.uapi.RdmaNldev;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PhysicalState;
import io.verbs4j.types.PortState;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// Queries the kernel about RDMA devices by netlink (drivers/infiniband/core/nldev.c), which reports more than sysfs:
/// the driver id, and the kernel's objects with their owners. Also creates and deletes software devices. It covers the
/// devices of the caller's network namespace.
///
/// The responses to a message end with an acknowledgement, or with the end of a list. For one thread at a time.
public final class RdmaNetlink implements RdmaSubsystem {
    /// Maximum size of the kernel's messages for a list.
    private static final int BUFFER = 32 * 1024;

    private final NetlinkFile socket;
    private int sequence;

    RdmaNetlink(NetlinkFile socket) {
        this.socket = socket;
    }

    /// Opens a socket to the kernel.
    ///
    /// @throws io.verbs4j.types.VerbsException if the kernel has no RDMA subsystem loaded, or does not allow it
    /// @throws UnsupportedOperationException if this platform is not 64-bit little-endian Linux
    public static RdmaNetlink open() {
        return new RdmaNetlink(NetlinkSocket.openRdma());
    }

    /// A character device.
    ///
    /// @param name such as `uverbs0`
    /// @param major major device number
    /// @param minor minor device number
    /// @param abiVersion version of the driver's ABI
    /// @param driverId the driver, 0 if it has no id ([RdmaDriver])
    public record CharacterDevice(String name, int major, int minor, int abiVersion, int driverId) {}

    @Override
    public List<Device> devices() {
        var devices = new ArrayList<Device>();
        try (Arena arena = Arena.ofConfined()) {
            for (NetlinkAnswer answer : ask(
                    SystemOperation.RDMA_NETLINK, arena, NetlinkRequest.of(arena, RdmaNldev.CMD_GET, true))) {
                devices.add(new Device(
                        (int) answer.number(RdmaNldev.ATTR_DEV_INDEX).orElse(-1),
                        answer.text(RdmaNldev.ATTR_DEV_NAME).orElse(""),
                        (int) answer.number(RdmaNldev.ATTR_PORT_INDEX).orElse(0),
                        answer.text(RdmaNldev.ATTR_DEV_PROTOCOL).orElse("")));
            }
        }
        return List.copyOf(devices);
    }

    /// Returns the uverbs node of a device.
    ///
    /// @param device its index
    /// @throws io.verbs4j.types.VerbsException with `ENOENT` or `ENODEV` if the device has none, or was removed
    public CharacterDevice uverbs(int device) {
        try (Arena arena = Arena.ofConfined()) {
            List<NetlinkAnswer> answers = ask(
                    SystemOperation.RDMA_NETLINK,
                    arena,
                    NetlinkRequest.of(arena, RdmaNldev.CMD_GET_CHARDEV, false)
                            .number(RdmaNldev.ATTR_DEV_INDEX, device)
                            .text(RdmaNldev.ATTR_CHARDEV_TYPE, "uverbs"));
            if (answers.isEmpty()) {
                throw KernelErrors.failure(SystemOperation.RDMA_NETLINK, Errno.ENOENT);
            }
            NetlinkAnswer answer = answers.getFirst();
            long number = answer.number(RdmaNldev.ATTR_CHARDEV).orElse(0);
            return new CharacterDevice(
                    answer.text(RdmaNldev.ATTR_CHARDEV_NAME).orElse(""),
                    // The kernel's encoding (new_encode_dev): 8 bits of the minor number, 12 of the major, 12 of the
                    // minor.
                    (int) (number >>> 8 & 0xfff),
                    (int) ((number & 0xff) | (number >>> 12 & 0xfff00)),
                    (int) answer.number(RdmaNldev.ATTR_CHARDEV_ABI).orElse(0),
                    (int) answer.number(RdmaNldev.ATTR_UVERBS_DRIVER_ID).orElse(RdmaDriver.UNKNOWN));
        }
    }

    @Override
    public List<Port> ports(int device) {
        var ports = new ArrayList<Port>();
        try (Arena arena = Arena.ofConfined()) {
            NetlinkRequest request = NetlinkRequest.of(arena, RdmaNldev.CMD_PORT_GET, true)
                    .number(RdmaNldev.ATTR_DEV_INDEX, device);
            for (NetlinkAnswer answer : ask(SystemOperation.RDMA_NETLINK, arena, request)) {
                ports.add(new Port(
                        (int) answer.number(RdmaNldev.ATTR_PORT_INDEX).orElse(0),
                        new PortState((int) answer.number(RdmaNldev.ATTR_PORT_STATE).orElse(0)),
                        new PhysicalState((int) answer.number(RdmaNldev.ATTR_PORT_PHYS_STATE).orElse(0)),
                        answer.text(RdmaNldev.ATTR_NDEV_NAME)));
            }
        }
        return List.copyOf(ports);
    }

    @Override
    public List<KernelResource> resources(int device, ResourceKind kind) {
        var resources = new ArrayList<KernelResource>();
        try (Arena arena = Arena.ofConfined()) {
            NetlinkRequest request = NetlinkRequest.of(arena, kind.command(), true)
                    .number(RdmaNldev.ATTR_DEV_INDEX, device);
            for (NetlinkAnswer answer : ask(SystemOperation.RDMA_NETLINK, arena, request)) {
                for (NetlinkAnswer entry : answer.entries(kind.table(), kind.entry())) {
                    resources.add(kind.read(entry));
                }
            }
        }
        return List.copyOf(resources);
    }

    @Override
    public boolean sharesDevicesBetweenNamespaces() {
        try (Arena arena = Arena.ofConfined()) {
            List<NetlinkAnswer> answers =
                    ask(SystemOperation.RDMA_NETLINK, arena, NetlinkRequest.of(arena, RdmaNldev.CMD_SYS_GET, false));
            return answers.isEmpty()
                    || answers.getFirst().number(RdmaNldev.SYS_ATTR_NETNS_MODE).orElse(1) != 0;
        }
    }

    @Override
    public void addLink(String name, String type, String networkInterface) {
        try (Arena arena = Arena.ofConfined()) {
            ask(
                    SystemOperation.ADD_LINK,
                    arena,
                    NetlinkRequest.of(arena, RdmaNldev.CMD_NEWLINK, false)
                            .text(RdmaNldev.ATTR_DEV_NAME, name)
                            .text(RdmaNldev.ATTR_LINK_TYPE, type)
                            .text(RdmaNldev.ATTR_NDEV_NAME, networkInterface));
        }
    }

    @Override
    public void deleteLink(int device) {
        try (Arena arena = Arena.ofConfined()) {
            ask(
                    SystemOperation.DELETE_LINK,
                    arena,
                    NetlinkRequest.of(arena, RdmaNldev.CMD_DELLINK, false).number(RdmaNldev.ATTR_DEV_INDEX, device));
        }
    }

    /// Returns whether a forked child gets copies of pinned pages at once, so that the parent keeps the device's pages
    /// (since Linux 5.12; reported since 5.13).
    public boolean copiesOnFork() {
        try (Arena arena = Arena.ofConfined()) {
            return ask(SystemOperation.RDMA_NETLINK, arena, NetlinkRequest.of(arena, RdmaNldev.CMD_SYS_GET, false))
                    .stream()
                    .anyMatch(answer -> answer.number(RdmaNldev.SYS_ATTR_COPY_ON_FORK).orElse(0) == 1);
        }
    }

    private List<NetlinkAnswer> ask(Operation operation, Arena arena, NetlinkRequest request) {
        sequence++;
        KernelErrors.check(operation, socket.send(request.finish(sequence)));
        MemorySegment buffer = arena.allocate(BUFFER, Long.BYTES);
        var answers = new ArrayList<NetlinkAnswer>();
        boolean more = true;
        while (more) {
            int length = KernelErrors.check(operation, socket.receive(buffer));
            more = take(operation, buffer.asSlice(0, length), sequence, answers);
        }
        return answers;
    }

    /// Parses the messages of one datagram.
    ///
    /// @return whether more messages follow
    static boolean take(Operation operation, MemorySegment datagram, int sequence, List<NetlinkAnswer> answers) {
        int head = LinuxStructs.NLMSGHDR.size();
        long offset = 0;
        while (offset + head <= datagram.byteSize()) {
            CView message = LinuxStructs.NLMSGHDR.view(datagram.asSlice(offset));
            long length = message.get("nlmsg_len");
            if (length < head || offset + length > datagram.byteSize()) {
                throw cutOff(operation);
            }
            if (message.getInt("nlmsg_seq") == sequence) {
                MemorySegment payload = datagram.asSlice(offset + head, length - head);
                switch (message.getInt("nlmsg_type")) {
                    case NetlinkFlags.NLMSG_DONE -> {
                        // A failed list ends like a successful one, except for this number (`netlink_dump`).
                        if (payload.byteSize() >= Integer.BYTES) {
                            KernelErrors.check(operation, payload.get(ValueLayout.JAVA_INT, 0));
                        }
                        return false;
                    }
                    case NetlinkFlags.NLMSG_ERROR -> {
                        if (payload.byteSize() < Integer.BYTES) {
                            throw cutOff(operation);
                        }
                        KernelErrors.check(operation, payload.get(ValueLayout.JAVA_INT, 0)); // `nlmsgerr.error`
                        return false;
                    }
                    default -> answers.add(new NetlinkAnswer(payload));
                }
            }
            offset += NetlinkAnswer.aligned((int) length);
        }
        return true;
    }

    private static VerbsException cutOff(Operation operation) {
        return KernelErrors.failure(operation, Errno.EPROTO, "a message was truncated");
    }

    @Override
    public void close() {
        socket.close();
    }
}
