// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.command;

import io.verbs4j.abi.jfr.FlightRecords;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.IbUverbsAttr;
import io.verbs4j.abi.uapi.IbUverbsIoctlHdr;
import io.verbs4j.abi.uapi.UverbsAttribute;
import io.verbs4j.abi.uapi.UverbsMethod;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One command of the ioctl interface: a header, and an attribute for each argument
/// (include/uapi/rdma/rdma_user_ioctl_cmds.h; the kernel's side is drivers/infiniband/core/uverbs_ioctl.c).
///
/// Each argument has a kind, determined by the kernel's method tables and repeated in the method names here. The kinds
/// differ in the contents of the attribute's 8 bytes of `data` and in the required length:
///
/// | method | `len` | `data` |
/// |---|---|---|
/// | [#in32], [#in64] | 4, 8 | the value |
/// | [#constant] | 8 | the value |
/// | [#in] | bytes | up to 8 bytes: they themselves; more: their address |
/// | [#out] | bytes | the address, however short |
/// | [#handle], [#fd] | 0 | the object's handle, or the file descriptor |
/// | [#newHandle] | 0 | 0, and afterwards the new handle or file descriptor |
///
/// The kernel writes into the command. Therefore it is used once, by the thread that built it. Arguments given as a
/// segment must stay alive until [#execute] returns.
public final class IoctlCommand {
    private static final int MAX_ATTRIBUTES = 24;
    private static final int HEAD = IbUverbsIoctlHdr.STRUCT.size();
    private static final int ATTRIBUTE = IbUverbsAttr.STRUCT.size();
    private static final long ID_OFFSET = IbUverbsAttr.STRUCT.offset("attr_id");
    private static final long FLAGS_OFFSET = IbUverbsAttr.STRUCT.offset("flags");
    private static final long DATA_OFFSET = IbUverbsAttr.STRUCT.offset("data");

    private final MemorySegment memory;
    private final int objectId;
    private final int methodId;
    /// Payloads whose addresses are in the command, kept reachable until it was sent.
    private final List<MemorySegment> payloads = new ArrayList<>();

    private int attributes;
    /// The command's name for recordings, if known.
    private @Nullable String operation;

    private IoctlCommand(Arena arena, int objectId, int methodId) {
        this.memory = arena.allocate(HEAD + MAX_ATTRIBUTES * (long) ATTRIBUTE, Long.BYTES);
        this.objectId = objectId;
        this.methodId = methodId;
    }

    /// Starts a command by its preferred method.
    ///
    /// @param arena contains the command; confined to the calling thread
    public static IoctlCommand of(Arena arena, CommandSpecification specification) {
        return of(arena, specification, specification.method());
    }

    /// Starts a command by one of its methods.
    ///
    /// @param arena contains the command; confined to the calling thread
    public static IoctlCommand of(Arena arena, CommandSpecification specification, UverbsMethod method) {
        return of(arena, method).carrying(specification.operation());
    }

    /// Starts a command of which only the method is known.
    ///
    /// @param arena contains the command; confined to the calling thread
    public static IoctlCommand of(Arena arena, UverbsMethod method) {
        return new IoctlCommand(arena, method.object().id(), method.id());
    }

    /// Starts a command by numbers only, such as those of a driver's own object.
    ///
    /// @param arena contains the command; confined to the calling thread
    public static IoctlCommand of(Arena arena, int objectId, int methodId) {
        return new IoctlCommand(arena, objectId, methodId);
    }

    /// Returns whether a result means that the kernel does not support the method, so that an older encoding is needed.
    /// Only the framework returns `EPROTONOSUPPORT`, and only a kernel without the ioctl interface returns `ENOTTY`.
    public static boolean isMissing(int result) {
        return result == -Errno.EPROTONOSUPPORT || result == -Errno.ENOTTY;
    }

    /// Adds a 32-bit value.
    public IoctlCommand in32(UverbsAttribute attribute, int value) {
        return add(attribute.id(), Integer.BYTES, Integer.toUnsignedLong(value));
    }

    /// Adds a 64-bit value.
    public IoctlCommand in64(UverbsAttribute attribute, long value) {
        return add(attribute.id(), Long.BYTES, value);
    }

    /// Adds a constant: a number whose width the kernel determines.
    public IoctlCommand constant(UverbsAttribute attribute, long value) {
        return add(attribute.id(), Long.BYTES, value);
    }

    /// Adds a payload: a struct, or an array.
    public IoctlCommand in(UverbsAttribute attribute, MemorySegment payload) {
        long size = payload.byteSize();
        if (size > Long.BYTES) {
            return pointer(attribute, payload);
        }
        long inline = 0;
        for (int i = 0; i < size; i++) {
            inline |= (payload.get(ValueLayout.JAVA_BYTE, i) & 0xffL) << (Byte.SIZE * i);
        }
        return add(attribute.id(), (int) size, inline);
    }

    /// Adds a buffer for a response.
    public IoctlCommand out(UverbsAttribute attribute, MemorySegment room) {
        return pointer(attribute, room);
    }

    /// Adds an object.
    ///
    /// @param handle the kernel's handle; 0 is a valid one
    public IoctlCommand handle(UverbsAttribute attribute, int handle) {
        return add(attribute.id(), 0, Integer.toUnsignedLong(handle));
    }

    /// Adds an object that is a file descriptor.
    public IoctlCommand fd(UverbsAttribute attribute, int fd) {
        return add(attribute.id(), 0, fd);
    }

    /// Adds an object that the command creates; see [#created].
    public IoctlCommand newHandle(UverbsAttribute attribute) {
        return add(attribute.id(), 0, 0);
    }

    /// Adds the driver-specific part. It is omitted if it is empty, because drivers refuse one that they do not expect.
    public IoctlCommand driver(DriverData driver) {
        if (driver.in().byteSize() > 0) {
            in(UverbsAttribute.UHW_IN, driver.in());
        }
        if (driver.out().byteSize() > 0) {
            out(UverbsAttribute.UHW_OUT, driver.out());
        }
        return this;
    }

    /// Sends the command, if the channel uses ioctl commands.
    ///
    /// @return 0, or a negated errno; [#isMissing] detects that another encoding is needed
    public int execute(CommandChannel channel) {
        return channel.transport() == Transport.NATIVE_IOCTL ? send(channel) : -Errno.EPROTONOSUPPORT;
    }

    /// Sets the specification of the command.
    IoctlCommand carrying(String carried) {
        operation = carried;
        return this;
    }

    /// Returns the command's object: the first argument that is a handle, possibly a new one; -1 if there is none.
    private long firstHandle() {
        for (int i = 0; i < attributes; i++) {
            if (attribute(i).getInt("len") == 0) {
                return attribute(i).get("data");
            }
        }
        return -1;
    }

    /// Sends the command.
    int send(CommandChannel channel) {
        int length = HEAD + attributes * ATTRIBUTE;
        IbUverbsIoctlHdr.STRUCT
                .view(memory)
                .set("length", length)
                .set("object_id", objectId)
                .set("method_id", methodId)
                .set("num_attrs", attributes)
                .set("driver_id", channel.driverId());
        try {
            MemorySegment command = memory.asSlice(0, length);
            return FlightRecords.verbs()
                    ? FlightRecords.verb(
                            operation, channel.deviceName(),
                            () -> channel.file().ioctl(command), this::firstHandle)
                    : channel.file().ioctl(command);
        } finally {
            Reference.reachabilityFence(payloads);
        }
    }

    /// Returns the kernel's result for a [#newHandle]: the handle, or the file descriptor.
    public int created(UverbsAttribute attribute) {
        return memory.get(ValueLayout.JAVA_INT, offset(attribute) + DATA_OFFSET);
    }

    /// Returns whether the kernel wrote an [#out] argument. A kernel ignores unknown arguments, unless they are
    /// mandatory.
    public boolean isWritten(UverbsAttribute attribute) {
        return (memory.get(ValueLayout.JAVA_SHORT, offset(attribute) + FLAGS_OFFSET) & IbUverbsAttr.VALID_OUTPUT) != 0;
    }

    /// Makes the last argument optional: a kernel may ignore it.
    public IoctlCommand optional() {
        attribute(attributes - 1).set("flags", 0);
        return this;
    }

    private IoctlCommand pointer(UverbsAttribute attribute, MemorySegment payload) {
        if (!payload.isNative()) {
            throw new IllegalArgumentException("the kernel cannot access heap memory: attribute=" + attribute);
        }
        if (payload.byteSize() > 0xffff) {
            throw new IllegalArgumentException(
                    "an argument has at most 65535 bytes: attribute=" + attribute + " size=" + payload.byteSize());
        }
        payloads.add(payload);
        return add(attribute.id(), (int) payload.byteSize(), payload.address());
    }

    private IoctlCommand add(int id, int length, long data) {
        if (attributes == MAX_ATTRIBUTES) {
            throw new IllegalStateException("a command has at most " + MAX_ATTRIBUTES + " arguments");
        }
        IbUverbsAttr.write(memory, HEAD + attributes * (long) ATTRIBUTE, id, length, data);
        attributes++;
        return this;
    }

    /// Allocates nothing: otherwise a lack of heap could lose a created object's handle.
    private long offset(UverbsAttribute attribute) {
        for (int i = 0; i < attributes; i++) {
            long offset = HEAD + i * (long) ATTRIBUTE;
            if (memory.get(ValueLayout.JAVA_SHORT, offset + ID_OFFSET) == (short) attribute.id()) {
                return offset;
            }
        }
        throw new IllegalArgumentException("not an argument of this command: attribute=" + attribute);
    }

    private CView attribute(int index) {
        return IbUverbsAttr.STRUCT.view(memory.asSlice(HEAD + index * (long) ATTRIBUTE, ATTRIBUTE));
    }
}
