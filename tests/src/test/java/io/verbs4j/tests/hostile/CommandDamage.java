// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.hostile;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.verbs4j.abi.catalogue.IoctlEnvelope;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.device.EventFile;
import io.verbs4j.abi.uapi.IbUverbsAttr;
import io.verbs4j.abi.uapi.IbUverbsIoctlHdr;
import io.verbs4j.abi.uapi.UverbsAttribute;
import io.verbs4j.tests.support.FileCalls;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Damages one place of one command to a device's file, and restores it after the call. Places are counted over all
/// commands since [#begin].
final class CommandDamage {
    private static final int[] WORDS = {0, 1, 255, 0x7fff_ffff, -1};
    private static final long[] POINTERS = {0, 0x1000, -1};
    /// Below are addresses that no program has, above those of the kernel.
    private static final long LOWEST_POINTER = 1L << 32;
    private static final long HIGHEST_POINTER = 1L << 47;

    private final DeviceFile kernel;
    private final int place;
    private int next = Integer.MIN_VALUE;
    private boolean done;
    private final List<MemorySegment> mapped = new ArrayList<>();
    private final List<EventFile> events = new ArrayList<>();

    /// @param place the number of the place to damage
    CommandDamage(DeviceFile kernel, int place) {
        this.kernel = kernel;
        this.place = place;
    }

    /// One change of a command, and the way back.
    private interface Change {
        void apply();
    }

    /// Begins to count.
    void begin() {
        next = 0;
    }

    /// Ends the counting.
    ///
    /// @return whether the place existed
    boolean end() {
        next = Integer.MIN_VALUE;
        return done;
    }

    /// Returns the file whose commands are damaged.
    DeviceFile file() {
        return FileCalls.of(kernel, call -> {
            Change back = () -> {};
            if (next >= 0 && call.isCommand()) {
                back = damage(call.name().equals("ioctl") ? ofIoctl(call.memory()) : ofBytes(call.memory()));
            }
            try {
                Object result = call.pass();
                note(call, result);
                return result;
            } finally {
                back.apply();
            }
        });
    }

    private void note(FileCalls.Call call, Object result) {
        switch (call.name()) {
            case "map" -> mapped.add((MemorySegment) result);
            case "unmap" -> mapped.remove(call.memory());
            case "eventFile" -> events.add((EventFile) result);
            default -> {}
        }
    }

    /// Closes the file, and releases events and rings of objects that the program could not close, which would keep the
    /// file open.
    void close() {
        events.forEach(EventFile::close);
        kernel.close();
        mapped.forEach(kernel::unmap);
    }

    private record Damage(Change change, Change back) {}

    private Change damage(List<Damage> places) {
        int index = place - next;
        next += places.size();
        if (index < 0 || index >= places.size()) {
            return () -> {};
        }
        done = true;
        places.get(index).change.apply();
        return places.get(index).back;
    }

    private static List<Damage> ofIoctl(MemorySegment command) {
        var places = new ArrayList<Damage>();
        for (int at = 0; at < IbUverbsIoctlHdr.STRUCT.size(); at += 2) {
            places.add(half(command, at, 0));
            places.add(half(command, at, 0xffff));
        }
        for (IoctlEnvelope.Argument argument : IoctlEnvelope.of(command).arguments()) {
            int at = argument.offset();
            places.add(half(command, at + IbUverbsAttr.STRUCT.offset("attr_id"), 0xff));
            places.add(half(command, at + IbUverbsAttr.STRUCT.offset("flags"), 0xffff));
            places.add(half(command, at + IbUverbsAttr.STRUCT.offset("attr_data.reserved"), 0xffff));
            // Never longer than it is, since an answer would reach beyond its room.
            places.add(half(command, at + IbUverbsAttr.STRUCT.offset("len"), 0));
            places.add(half(command, at + IbUverbsAttr.STRUCT.offset("len"), Math.max(argument.length() - 4, 0)));
            boolean points = argument.length() > Long.BYTES || isPointer(argument.data());
            if (points) {
                for (long value : POINTERS) {
                    places.add(pointer(command, at + IbUverbsAttr.STRUCT.offset("data"), value));
                }
            } else {
                places.addAll(words(command, at + IbUverbsAttr.STRUCT.offset("data")));
            }
            if (points && argument.attribute().map(UverbsAttribute::kind).orElse(null) == UverbsAttribute.Kind.IN) {
                places.addAll(ofBytes(memory(argument.data(), argument.length())));
            } else if (points && argument.id() == UverbsAttribute.UHW_IN.id()) {
                places.addAll(ofBytes(memory(argument.data(), argument.length())));
            }
        }
        return places;
    }

    private static List<Damage> ofBytes(MemorySegment bytes) {
        var places = new ArrayList<Damage>();
        long at = 0;
        while (at + 4 <= bytes.byteSize()) {
            if (at % 8 == 0 && at + 8 <= bytes.byteSize() && isPointer(bytes.get(JAVA_LONG_UNALIGNED, at))) {
                for (long value : POINTERS) {
                    places.add(pointer(bytes, at, value));
                }
                at += 8;
            } else {
                places.addAll(words(bytes, at));
                at += 4;
            }
        }
        return places;
    }

    private static boolean isPointer(long value) {
        return value >= LOWEST_POINTER && value < HIGHEST_POINTER;
    }

    @SuppressWarnings("restricted")
    private static MemorySegment memory(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }

    private static List<Damage> words(MemorySegment memory, long at) {
        int former = memory.get(JAVA_INT_UNALIGNED, at);
        var places = new ArrayList<Damage>();
        for (int value : WORDS) {
            if (value != former) {
                places.add(new Damage(
                        () -> memory.set(JAVA_INT_UNALIGNED, at, value),
                        // Unless an answer is there now.
                        () -> {
                            if (memory.get(JAVA_INT_UNALIGNED, at) == value) {
                                memory.set(JAVA_INT_UNALIGNED, at, former);
                            }
                        }));
            }
        }
        return places;
    }

    private static Damage half(MemorySegment memory, long at, int value) {
        short former = memory.get(JAVA_SHORT_UNALIGNED, at);
        return new Damage(
                () -> memory.set(JAVA_SHORT_UNALIGNED, at, (short) value),
                () -> memory.set(JAVA_SHORT_UNALIGNED, at, former));
    }

    private static Damage pointer(MemorySegment memory, long at, long value) {
        long former = memory.get(JAVA_LONG_UNALIGNED, at);
        return new Damage(
                () -> memory.set(JAVA_LONG_UNALIGNED, at, value),
                () -> memory.set(JAVA_LONG_UNALIGNED, at, former));
    }
}
