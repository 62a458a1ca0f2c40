// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.types.Access;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The objects, file descriptors and rings of one open device. Thread-safe.
final class ObjectNames {
    /// Prefixes of object names by suffixes of C field names; longer ones first: `srq_handle` before `rq`.
    private static final List<UverbsObject> HANDLES = List.of(
            UverbsObject.PD,
            UverbsObject.CQ,
            UverbsObject.SRQ,
            UverbsObject.QP,
            UverbsObject.AH,
            UverbsObject.MR,
            UverbsObject.MW,
            UverbsObject.XRCD);

    private final Map<UverbsObject, Map<Integer, TracedObject>> objects = new EnumMap<>(UverbsObject.class);
    private final Map<Integer, String> files = new ConcurrentHashMap<>();
    private final Map<Long, String> rings = new ConcurrentHashMap<>();
    /// The kernel's reports about the device by C field names.
    private final Map<String, Long> limits = new ConcurrentHashMap<>();

    private final String device;

    /// @param device name of the device
    ObjectNames(String device) {
        this.device = device;
        for (UverbsObject kind : UverbsObject.values()) {
            objects.put(kind, new ConcurrentHashMap<>());
        }
    }

    private Map<Integer, TracedObject> of(UverbsObject kind) {
        return Objects.requireNonNull(objects.get(kind));
    }

    /// Returns the name of the device.
    String device() {
        return device;
    }

    /// Returns the kind of object whose handle a C field contains.
    static @Nullable UverbsObject kindOf(String field) {
        if (!field.endsWith("_handle")) {
            return null;
        }
        String word = field.substring(0, field.length() - "_handle".length());
        word = word.substring(word.lastIndexOf('_') + 1).toUpperCase(Locale.ROOT);
        for (UverbsObject kind : HANDLES) {
            if (kind.name().equals(word)) {
                return kind;
            }
        }
        return null;
    }

    /// Records a new object.
    ///
    /// @param number the number in its name: a queue pair's own number, otherwise the handle
    void add(UverbsObject kind, int handle, long number, List<TracedObject> uses, Map<String, Long> facts) {
        String name = kind.name().toLowerCase(Locale.ROOT) + "#" + number;
        of(kind).put(handle, new TracedObject(kind, handle, number, name, uses, facts));
    }

    /// Removes a destroyed object, unless its handle already belongs to another object.
    @SuppressWarnings("ReferenceEquality") // another object may have equal attributes
    void remove(TracedObject object) {
        of(object.kind()).computeIfPresent(object.handle(), (_, present) -> present == object ? null : present);
    }

    @Nullable
    TracedObject find(UverbsObject kind, int handle) {
        return of(kind).get(handle);
    }

    /// Returns the objects that were created from another object.
    List<String> usersOf(TracedObject used) {
        return objects.values()
                .stream()
                .flatMap(map -> map.values().stream())
                .filter(user -> user.uses().contains(used))
                .map(TracedObject::name)
                .sorted()
                .toList();
    }

    /// Returns the mistake in a buffer; empty if none is known.
    String checkBuffer(long address, long length, int lkey, boolean written) {
        if (length == 0) {
            return "";
        }
        String key = "lkey=0x" + Integer.toHexString(lkey);
        for (TracedObject region : of(UverbsObject.MR).values()) {
            if ((int) region.fact("lkey", 0) != lkey) {
                continue;
            }
            long first = region.fact("hca_va", 0);
            long bytes = region.fact("length", 0);
            long offset = address - first; // unsigned, as iovas are
            if (Long.compareUnsigned(offset, bytes) > 0 || Long.compareUnsigned(length, bytes - offset) > 0) {
                return "0x" + Long.toHexString(address) + " with " + length + " bytes is not within " + region.name()
                        + " (0x" + Long.toHexString(first) + " with " + bytes + " bytes)";
            }
            boolean writable = (region.fact("access_flags", 0) & Access.LOCAL_WRITE.value()) != 0;
            return written && !writable ? region.name() + " lacks LOCAL_WRITE, and the device writes to it" : "";
        }
        return key + " is not the key of a region of this context";
    }

    /// Returns the name of an object.
    String name(UverbsObject kind, int handle) {
        TracedObject known = find(kind, handle);
        return known != null
                ? known.name()
                : kind.name().toLowerCase(Locale.ROOT) + " handle " + Integer.toUnsignedString(handle) + " (unknown)";
    }

    void addFile(int descriptor, String what) {
        files.put(descriptor, what);
    }

    String file(int descriptor) {
        String what = files.get(descriptor);
        return descriptor < 0 ? "none" : "fd " + descriptor + (what == null ? "" : " (" + what + ")");
    }

    void addRing(long offset, String what) {
        rings.put(offset, what);
    }

    /// Returns the ring that the kernel has reported at an offset; empty if none.
    Optional<String> ring(long offset) {
        return Optional.ofNullable(rings.get(offset));
    }

    void addLimit(String field, long value) {
        limits.put(field, value);
    }

    /// Returns a limit that the kernel has reported about the device.
    ///
    /// @return -1 if it was not queried
    long limit(String field) {
        return limits.getOrDefault(field, -1L);
    }
}
