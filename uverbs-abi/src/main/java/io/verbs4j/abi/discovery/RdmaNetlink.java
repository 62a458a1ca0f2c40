// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.discovery;

import io.verbs4j.abi.KernelErrors;
import io.verbs4j.abi.Verb;
import io.verbs4j.abi.os.NetlinkSocket;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.NetlinkFlags;
import io.verbs4j.abi.uapi.Nlmsgerr;
import io.verbs4j.abi.uapi.Nlmsghdr;
import io.verbs4j.abi.uapi.RdmaDriver;
import io.verbs4j.abi.uapi.RdmaNldev;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Asks the kernel about RDMA devices by netlink (drivers/infiniband/core/nldev.c), which tells what sysfs does not: the
/// driver's number. It shows the devices of the caller's network namespace.
///
/// A message asks; answers come until an acknowledgement, or for a list until its end. For one thread at a time.
public final class RdmaNetlink implements AutoCloseable {
    /// The kernel fills at most this for a list.
    private static final int BUFFER = 32 * 1024;

    private final NetlinkSocket socket;
    private int sequence;

    private RdmaNetlink(NetlinkSocket socket) {
        this.socket = socket;
    }

    /// Opens a socket to the kernel.
    ///
    /// @throws io.verbs4j.types.VerbsException if the kernel has no RDMA subsystem loaded, or forbids it
    /// @throws UnsupportedOperationException if this platform is not 64-bit little-endian Linux
    public static RdmaNetlink open() {
        return new RdmaNetlink(NetlinkSocket.openRdma());
    }

    /// A device.
    ///
    /// @param index its number, by which other requests name it
    /// @param name its name, such as `rxe0`
    /// @param ports number of ports
    /// @param protocol `roce`, `ib`, `iw` …; empty if the kernel does not tell
    public record Device(int index, String name, int ports, String protocol) {}

    /// A character device.
    ///
    /// @param name such as `uverbs0`
    /// @param major major device number
    /// @param minor minor device number
    /// @param abiVersion version of the driver's ABI
    /// @param driverId the driver, 0 if it does not want to be recognized so ([RdmaDriver])
    public record CharacterDevice(String name, int major, int minor, int abiVersion, int driverId) {}

    /// All devices.
    public List<Device> devices() {
        var devices = new ArrayList<Device>();
        try (Arena arena = Arena.ofConfined()) {
            for (NetlinkAnswer answer : ask(arena, NetlinkRequest.of(arena, RdmaNldev.CMD_GET, true))) {
                devices.add(new Device(
                        (int) answer.number(RdmaNldev.ATTR_DEV_INDEX).orElse(-1),
                        answer.text(RdmaNldev.ATTR_DEV_NAME).orElse(""),
                        (int) answer.number(RdmaNldev.ATTR_PORT_INDEX).orElse(0),
                        answer.text(RdmaNldev.ATTR_DEV_PROTOCOL).orElse("")));
            }
        }
        return List.copyOf(devices);
    }

    /// The uverbs node of a device.
    ///
    /// @param device its index
    /// @throws io.verbs4j.types.VerbsException with `ENOENT` or `ENODEV` if it has none, or is gone
    public CharacterDevice uverbs(int device) {
        try (Arena arena = Arena.ofConfined()) {
            List<NetlinkAnswer> answers = ask(
                    arena,
                    NetlinkRequest.of(arena, RdmaNldev.CMD_GET_CHARDEV, false)
                            .number(RdmaNldev.ATTR_DEV_INDEX, device)
                            .text(RdmaNldev.ATTR_CHARDEV_TYPE, "uverbs"));
            if (answers.isEmpty()) {
                throw KernelErrors.failure(Verb.RDMA_NETLINK, Errno.ENOENT);
            }
            NetlinkAnswer answer = answers.getFirst();
            long number = answer.number(RdmaNldev.ATTR_CHARDEV).orElse(0);
            return new CharacterDevice(
                    answer.text(RdmaNldev.ATTR_CHARDEV_NAME).orElse(""),
                    // The kernel's encoding (new_encode_dev): 8 bits of the minor number, 12 of the major, 12 of the minor.
                    (int) (number >>> 8 & 0xfff),
                    (int) ((number & 0xff) | (number >>> 12 & 0xfff00)),
                    (int) answer.number(RdmaNldev.ATTR_CHARDEV_ABI).orElse(0),
                    (int) answer.number(RdmaNldev.ATTR_UVERBS_DRIVER_ID).orElse(RdmaDriver.UNKNOWN));
        }
    }

    private List<NetlinkAnswer> ask(Arena arena, NetlinkRequest request) {
        sequence++;
        KernelErrors.check(Verb.RDMA_NETLINK, socket.send(request.finish(sequence)));
        MemorySegment buffer = arena.allocate(BUFFER, Long.BYTES);
        var answers = new ArrayList<NetlinkAnswer>();
        boolean more = true;
        while (more) {
            int length = KernelErrors.check(Verb.RDMA_NETLINK, socket.receive(buffer));
            more = take(buffer.asSlice(0, length), answers);
        }
        return answers;
    }

    /// Takes the messages of one datagram.
    ///
    /// @return whether more are to come
    private boolean take(MemorySegment datagram, List<NetlinkAnswer> answers) {
        int head = Nlmsghdr.STRUCT.size();
        long offset = 0;
        while (offset + head <= datagram.byteSize()) {
            CView message = Nlmsghdr.STRUCT.view(datagram.asSlice(offset));
            long length = message.get("nlmsg_len");
            if (length < head || offset + length > datagram.byteSize()) {
                throw KernelErrors.failure(Verb.RDMA_NETLINK, Errno.EPROTO, "a message was cut off");
            }
            if (message.getInt("nlmsg_seq") == sequence) {
                MemorySegment payload = datagram.asSlice(offset + head, length - head);
                switch (message.getInt("nlmsg_type")) {
                    case NetlinkFlags.NLMSG_DONE -> {
                        return false;
                    }
                    case NetlinkFlags.NLMSG_ERROR -> {
                        KernelErrors.check(
                                Verb.RDMA_NETLINK, Nlmsgerr.STRUCT.view(payload).getInt("error"));
                        return false;
                    }
                    default -> answers.add(new NetlinkAnswer(payload));
                }
            }
            offset += NetlinkAnswer.aligned((int) length);
        }
        return true;
    }

    @Override
    public void close() {
        socket.close();
    }
}
