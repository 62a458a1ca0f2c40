// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.kernel;

import io.verbs4j.abi.catalogue.IoctlEnvelope;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.UverbsAttribute;
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
    private static final int CONSTANT = 8;

    private final Arena arena;
    private final Map<UverbsAttribute, IoctlEnvelope.Argument> places = new HashMap<>();

    /// @param arena contains memory for the duration of the command
    /// @throws Refusal if an attribute is unknown and must not be ignored, comes twice, or has a wrong length
    Arguments(IoctlEnvelope command, Arena arena) {
        this.arena = arena;
        for (IoctlEnvelope.Argument argument : command.arguments()) {
            Optional<UverbsAttribute> known = argument.attribute();
            if (known.isEmpty()) {
                Refusal.when(argument.isMandatory(), Errno.EPROTONOSUPPORT);
                continue;
            }
            Refusal.unless(hasRightLength(known.get(), argument.length()), Errno.EINVAL);
            Refusal.unless(places.put(known.get(), argument) == null, Errno.EINVAL);
        }
    }

    private static boolean hasRightLength(UverbsAttribute attribute, int length) {
        return switch (attribute.kind()) {
            case HANDLE, NEW_HANDLE, FILE, NEW_FILE -> length == 0;
            case CONSTANT -> length <= CONSTANT;
            default -> true;
        };
    }

    Arena arena() {
        return arena;
    }

    boolean has(UverbsAttribute attribute) {
        return places.containsKey(attribute);
    }

    private IoctlEnvelope.Argument place(UverbsAttribute attribute) {
        IoctlEnvelope.Argument place = places.get(attribute);
        if (place == null) {
            throw new Refusal(Errno.EINVAL);
        }
        return place;
    }

    /// Returns a number, a handle or a file descriptor.
    long number(UverbsAttribute attribute) {
        return place(attribute).data();
    }

    int number32(UverbsAttribute attribute) {
        IoctlEnvelope.Argument place = place(attribute);
        Refusal.unless(place.length() == Integer.BYTES, Errno.EINVAL);
        return (int) place.data();
    }

    long number64(UverbsAttribute attribute) {
        IoctlEnvelope.Argument place = place(attribute);
        Refusal.unless(place.length() == Long.BYTES, Errno.EINVAL);
        return place.data();
    }

    int handle(UverbsAttribute attribute) {
        return (int) number(attribute);
    }

    /// Returns the bytes of an input attribute, at least as many as required; empty if it is missing and none are
    /// required.
    MemorySegment in(UverbsAttribute attribute, int least) {
        if (!has(attribute)) {
            Refusal.when(least > 0, Errno.EINVAL);
            return MemorySegment.NULL;
        }
        IoctlEnvelope.Argument place = place(attribute);
        Refusal.unless(place.length() >= least, Errno.EINVAL);
        return place.isInline()
                ? arena.allocate(Long.BYTES, Long.BYTES)
                        .asSlice(0, place.length())
                        .copyFrom(place.inline())
                : Memory.at(place.data(), place.length());
    }

    /// Returns an input struct. The sender may know a longer one, whose other fields must be 0.
    MemorySegment struct(UverbsAttribute attribute, CStruct struct) {
        MemorySegment given = in(attribute, struct.size());
        for (long at = struct.size(); at < given.byteSize(); at++) {
            Refusal.when(given.get(ValueLayout.JAVA_BYTE, at) != 0, Errno.EOPNOTSUPP);
        }
        return given.asSlice(0, struct.size());
    }

    /// Returns the memory of an output attribute; empty if it is missing.
    MemorySegment out(UverbsAttribute attribute) {
        if (!has(attribute)) {
            return MemorySegment.NULL;
        }
        IoctlEnvelope.Argument place = place(attribute);
        place.markWritten();
        return Memory.at(place.data(), place.length());
    }

    /// Writes an output number, if the caller requested it.
    void out32(UverbsAttribute attribute, int value) {
        if (has(attribute)) {
            Refusal.unless(place(attribute).length() == Integer.BYTES, Errno.EINVAL);
            out(attribute).set(ValueLayout.JAVA_INT_UNALIGNED, 0, value);
        }
    }

    /// Writes an output number, if the caller requested it.
    void out64(UverbsAttribute attribute, long value) {
        if (has(attribute)) {
            Refusal.unless(place(attribute).length() == Long.BYTES, Errno.EINVAL);
            out(attribute).set(ValueLayout.JAVA_LONG_UNALIGNED, 0, value);
        }
    }

    /// Writes an output struct, truncated to the available room or padded with zeros.
    void out(UverbsAttribute attribute, MemorySegment struct, long least) {
        MemorySegment room = out(attribute);
        Refusal.unless(room.byteSize() >= least, Errno.EINVAL);
        long shared = Math.min(room.byteSize(), struct.byteSize());
        room.fill((byte) 0).asSlice(0, shared).copyFrom(struct.asSlice(0, shared));
    }

    /// Writes the handle or file descriptor of a new object.
    void created(UverbsAttribute attribute, int number) {
        place(attribute).create(number);
    }
}
