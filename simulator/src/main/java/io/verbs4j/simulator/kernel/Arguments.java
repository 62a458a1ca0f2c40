// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.kernel;

import io.verbs4j.abi.uapi.IbUverbsAttr;
import io.verbs4j.abi.uapi.IbUverbsIoctlHdr;
import io.verbs4j.abi.uapi.IoctlAttribute;
import io.verbs4j.abi.uapi.UverbsAttribute;
import io.verbs4j.abi.uapi.UverbsMethod;
import io.verbs4j.simulator.rxe.Memory;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The attributes of an ioctl command (`uverbs_process_attr`, uverbs_ioctl.c).
final class Arguments {
    private static final long HEAD = IbUverbsIoctlHdr.STRUCT.size();
    private static final long SIZE = IbUverbsAttr.STRUCT.size();
    private static final long LENGTH = IbUverbsAttr.STRUCT.offset("len");
    private static final long FLAGS = IbUverbsAttr.STRUCT.offset("flags");
    private static final long DATA = IbUverbsAttr.STRUCT.offset("data");
    private static final long ID = IbUverbsAttr.STRUCT.offset("attr_id");
    private static final int CONSTANT = 8;

    private final MemorySegment command;
    private final Map<Integer, Long> places = new HashMap<>();

    /// @throws Refusal if an attribute is unknown and must not be ignored, comes twice, or has a wrong length
    Arguments(MemorySegment command, UverbsMethod method, int count) {
        this.command = command;
        for (int i = 0; i < count; i++) {
            long place = HEAD + i * SIZE;
            int id = command.get(ValueLayout.JAVA_SHORT, place + ID) & 0xffff;
            Optional<UverbsAttribute> known = UverbsAttribute.of(method, id);
            if (known.isEmpty()) {
                int flags = command.get(ValueLayout.JAVA_SHORT, place + FLAGS);
                Refusal.when((flags & IbUverbsAttr.MANDATORY) != 0, Errno.EPROTONOSUPPORT);
                continue;
            }
            Refusal.unless(hasRightLength(known.get(), place), Errno.EINVAL);
            Refusal.unless(places.put(id, place) == null, Errno.EINVAL);
        }
    }

    private boolean hasRightLength(UverbsAttribute attribute, long place) {
        int length = command.get(ValueLayout.JAVA_SHORT, place + LENGTH) & 0xffff;
        return switch (attribute.kind()) {
            case HANDLE, NEW_HANDLE, FILE, NEW_FILE -> length == 0;
            case CONSTANT -> length <= CONSTANT;
            default -> true;
        };
    }

    boolean has(IoctlAttribute attribute) {
        return places.containsKey(attribute.id());
    }

    private long place(IoctlAttribute attribute) {
        Long place = places.get(attribute.id());
        if (place == null) {
            throw new Refusal(Errno.EINVAL);
        }
        return place;
    }

    private int length(long place) {
        return command.get(ValueLayout.JAVA_SHORT, place + LENGTH) & 0xffff;
    }

    private long data(long place) {
        return command.get(ValueLayout.JAVA_LONG, place + DATA);
    }

    /// A number, a handle or a file descriptor.
    long number(IoctlAttribute attribute) {
        return data(place(attribute));
    }

    int number32(IoctlAttribute attribute) {
        long place = place(attribute);
        Refusal.unless(length(place) == Integer.BYTES, Errno.EINVAL);
        return (int) data(place);
    }

    long number64(IoctlAttribute attribute) {
        long place = place(attribute);
        Refusal.unless(length(place) == Long.BYTES, Errno.EINVAL);
        return data(place);
    }

    int handle(IoctlAttribute attribute) {
        return (int) number(attribute);
    }

    /// Bytes that come in, at least as many as asked for; empty if there is no such argument and none are asked for.
    MemorySegment in(Arena arena, IoctlAttribute attribute, int least) {
        if (!has(attribute)) {
            Refusal.when(least > 0, Errno.EINVAL);
            return MemorySegment.NULL;
        }
        long place = place(attribute);
        int length = length(place);
        Refusal.unless(length >= least, Errno.EINVAL);
        if (length > Long.BYTES) {
            return Memory.at(data(place), length);
        }
        return arena.allocate(Long.BYTES, Long.BYTES)
                .copyFrom(command.asSlice(place + DATA, Long.BYTES))
                .asSlice(0, length);
    }

    /// Room for what goes out; empty if there is no such argument.
    MemorySegment out(IoctlAttribute attribute) {
        if (!has(attribute)) {
            return MemorySegment.NULL;
        }
        long place = place(attribute);
        command.set(ValueLayout.JAVA_SHORT, place + FLAGS, (short) (command.get(ValueLayout.JAVA_SHORT, place + FLAGS)
                | IbUverbsAttr.VALID_OUTPUT));
        return Memory.at(data(place), length(place));
    }

    /// Writes a number that goes out, if somebody wants it.
    void out32(IoctlAttribute attribute, int value) {
        if (has(attribute)) {
            Refusal.unless(length(place(attribute)) == Integer.BYTES, Errno.EINVAL);
            out(attribute).set(ValueLayout.JAVA_INT_UNALIGNED, 0, value);
        }
    }

    /// Writes a number that goes out, if somebody wants it.
    void out64(IoctlAttribute attribute, long value) {
        if (has(attribute)) {
            Refusal.unless(length(place(attribute)) == Long.BYTES, Errno.EINVAL);
            out(attribute).set(ValueLayout.JAVA_LONG_UNALIGNED, 0, value);
        }
    }

    /// Writes a struct that goes out, as much of it as there is room for, and zeros behind it.
    void out(IoctlAttribute attribute, MemorySegment struct, long least) {
        MemorySegment room = out(attribute);
        Refusal.unless(room.byteSize() >= least, Errno.EINVAL);
        long shared = Math.min(room.byteSize(), struct.byteSize());
        room.fill((byte) 0).asSlice(0, shared).copyFrom(struct.asSlice(0, shared));
    }

    /// Writes the handle or file descriptor of a new object.
    void created(IoctlAttribute attribute, int number) {
        command.set(ValueLayout.JAVA_LONG, place(attribute) + DATA, Integer.toUnsignedLong(number));
    }
}
