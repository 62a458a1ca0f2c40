// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.catalogue;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.verbs4j.abi.command.DriverAbi;
import io.verbs4j.abi.uapi.IbUverbsAttr;
import io.verbs4j.abi.uapi.IbUverbsIoctlHdr;
import io.verbs4j.abi.uapi.UverbsAttribute;
import io.verbs4j.abi.uapi.UverbsMethod;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads an ioctl command on the receiver's side: `struct ib_uverbs_ioctl_hdr`, and a `struct ib_uverbs_attr` for each
/// argument (include/uapi/rdma/rdma_user_ioctl_cmds.h). It is used to answer or observe commands; the sender's side is
/// [io.verbs4j.abi.command.IoctlCommand].
///
/// It is a view of the command's own memory, so that the sender receives written responses. Addresses in arguments are
/// numbers; the caller dereferences them.
public final class IoctlEnvelope {
    private static final int HEAD = IbUverbsIoctlHdr.STRUCT.size();
    private static final long LENGTH = IbUverbsIoctlHdr.STRUCT.offset("length");
    private static final long OBJECT = IbUverbsIoctlHdr.STRUCT.offset("object_id");
    private static final long METHOD = IbUverbsIoctlHdr.STRUCT.offset("method_id");
    private static final long COUNT = IbUverbsIoctlHdr.STRUCT.offset("num_attrs");
    private static final long RESERVED_1 = IbUverbsIoctlHdr.STRUCT.offset("reserved1");
    private static final long DRIVER = IbUverbsIoctlHdr.STRUCT.offset("driver_id");
    private static final long RESERVED_2 = IbUverbsIoctlHdr.STRUCT.offset("reserved2");

    private static final int ATTRIBUTE = IbUverbsAttr.STRUCT.size();
    private static final long ID = IbUverbsAttr.STRUCT.offset("attr_id");
    private static final long BYTES = IbUverbsAttr.STRUCT.offset("len");
    private static final long FLAGS = IbUverbsAttr.STRUCT.offset("flags");
    private static final long RESERVED = IbUverbsAttr.STRUCT.offset("attr_data.reserved");
    private static final long DATA = IbUverbsAttr.STRUCT.offset("data");

    private final MemorySegment command;
    private final Optional<UverbsMethod> method;
    private final List<Argument> arguments;

    private IoctlEnvelope(MemorySegment command, DriverAbi driver) {
        this.command = command;
        int object = unsigned(OBJECT);
        int number = unsigned(METHOD);
        this.method = driver.method(object, number).or(() -> CommandCatalogue.method(object, number));
        long room = (command.byteSize() - HEAD) / ATTRIBUTE;
        var all = new ArrayList<Argument>();
        for (int i = 0; i < Math.min(unsigned(COUNT), room); i++) {
            all.add(new Argument(HEAD + i * ATTRIBUTE));
        }
        this.arguments = List.copyOf(all);
    }

    /// Reads a command of the core's methods.
    ///
    /// @param command at least a header; never read beyond its end, whatever the header contains
    public static IoctlEnvelope of(MemorySegment command) {
        return of(command, DriverAbi.NONE);
    }

    /// Reads a command of the core's or a driver's methods.
    ///
    /// @param command at least a header; never read beyond its end, whatever the header contains
    public static IoctlEnvelope of(MemorySegment command, DriverAbi driver) {
        return new IoctlEnvelope(command, driver);
    }

    private int unsigned(long offset) {
        return command.get(JAVA_SHORT_UNALIGNED, offset) & 0xffff;
    }

    /// Returns whether the lengths agree: the length in the header with the number of arguments, and both with the
    /// memory.
    public boolean hasRightLength() {
        int length = unsigned(LENGTH);
        return length == HEAD + unsigned(COUNT) * ATTRIBUTE && length <= command.byteSize();
    }

    /// Returns the length of header and arguments, from the header.
    public int length() {
        return unsigned(LENGTH);
    }

    /// Returns whether the reserved fields of the header are 0, as required.
    public boolean hasCleanHead() {
        return command.get(JAVA_LONG_UNALIGNED, RESERVED_1) == 0 && command.get(JAVA_INT_UNALIGNED, RESERVED_2) == 0;
    }

    /// Returns the number of the object.
    public int objectId() {
        return unsigned(OBJECT);
    }

    /// Returns the number of the method, which is unique only together with the object.
    public int methodId() {
        return unsigned(METHOD);
    }

    /// Returns the number of the driver.
    public int driverId() {
        return command.get(JAVA_INT_UNALIGNED, DRIVER);
    }

    /// Returns the method; empty if no command has it.
    public Optional<UverbsMethod> method() {
        return method;
    }

    /// Returns the arguments in their order.
    public List<Argument> arguments() {
        return arguments;
    }

    /// Returns an argument; empty if the command does not have it.
    public Optional<Argument> argument(UverbsAttribute attribute) {
        for (Argument argument : arguments) {
            if (argument.id() == attribute.id()) {
                return Optional.of(argument);
            }
        }
        return Optional.empty();
    }

    /// One argument.
    public final class Argument {
        private final int place;

        private Argument(int place) {
            this.place = place;
        }

        /// Returns the argument's offset in the command.
        public int offset() {
            return place;
        }

        /// Returns the number in `attr_id`.
        public int id() {
            return unsigned(place + ID);
        }

        /// Returns the attribute of the argument; empty if the method is unknown, or has no such argument.
        public Optional<UverbsAttribute> attribute() {
            return method.flatMap(known -> known.attribute(id()));
        }

        /// Returns the length of the payload; 0 for handles and file descriptors.
        public int length() {
            return unsigned(place + BYTES);
        }

        /// Returns whether a receiver that does not support the argument must refuse the command.
        public boolean isMandatory() {
            return (unsigned(place + FLAGS) & IbUverbsAttr.MANDATORY) != 0;
        }

        /// Returns whether the reserved field is 0, as required.
        public boolean isClean() {
            return unsigned(place + RESERVED) == 0;
        }

        /// Returns the value, the handle, the file descriptor, or the address of the payload.
        public long data() {
            return command.get(JAVA_LONG_UNALIGNED, place + DATA);
        }

        /// Returns whether the payload is in `data` itself: the kernel reads it and it has at most 8 bytes.
        public boolean isInline() {
            return length() <= Long.BYTES;
        }

        /// Returns the bytes of a payload that is in `data` itself.
        public MemorySegment inline() {
            return command.asSlice(place + DATA, length());
        }

        /// Writes the handle or file descriptor of a new object.
        public void create(int number) {
            command.set(JAVA_LONG_UNALIGNED, place + DATA, Integer.toUnsignedLong(number));
        }

        /// Marks a response as written.
        public void markWritten() {
            short flags = (short) (unsigned(place + FLAGS) | IbUverbsAttr.VALID_OUTPUT);
            command.set(JAVA_SHORT_UNALIGNED, place + FLAGS, flags);
        }
    }
}
