// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import io.verbs4j.simulator.profile.Behaviour;
import io.verbs4j.types.Access;
import io.verbs4j.types.WorkRequestOpcode;
import org.jspecify.annotations.Nullable;

/// Executes work requests that send no packets: binding windows and invalidating keys (rxe_mw.c).
record LocalOperations(QueuePair owner) {
    /// Access rights that a bind may grant (`RXE_ACCESS_SUPPORTED_MW`, rxe_verbs.h).
    private static final int OF_WINDOWS = Access.mask(
            Access.LOCAL_WRITE,
            Access.REMOTE_WRITE,
            Access.REMOTE_READ,
            Access.REMOTE_ATOMIC,
            Access.MEMORY_WINDOW_BIND,
            Access.ZERO_BASED,
            Access.ON_DEMAND,
            Access.FLUSH_GLOBAL,
            Access.FLUSH_PERSISTENT,
            Access.RELAXED_ORDERING);

    private static final int WRITING = Access.mask(Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);

    /// Returns whether an opcode belongs to a local operation.
    static boolean has(int request) {
        return request == WorkRequestOpcode.LOCAL_INVALIDATE || request == WorkRequestOpcode.BIND_MEMORY_WINDOW;
    }

    /// Executes the request.
    ///
    /// @return the status of its completion
    int run(long element, int request) {
        return request == WorkRequestOpcode.BIND_MEMORY_WINDOW
                ? bind(element) ? Status.SUCCESS : Status.BIND
                : invalidate(owner.device, Memory.word(element + SendElement.DATA)) ? Status.SUCCESS : Status.OPERATION;
    }

    /// Invalidates a key. The key of a region is always refused. For an unbound window of type 2, a kernel would follow
    /// a null pointer; this class refuses.
    static boolean invalidate(RxeDevice device, int key) {
        Window window = RxeDevice.isOfWindow(key) ? device.window(key) : null;
        if (window == null || window.type == 1 || !window.valid) {
            return false;
        }
        window.free();
        return true;
    }

    private boolean bind(long element) {
        Window window = owner.device.window(Memory.word(element + SendElement.WINDOW_KEY));
        if (window == null) {
            return false;
        }
        long length = Memory.twoWords(element + SendElement.WINDOW_LENGTH);
        long address = Memory.twoWords(element + SendElement.WINDOW_ADDRESS);
        int access = Memory.word(element + SendElement.WINDOW_ACCESS);
        Region region = null;
        if (length != 0) {
            region = owner.device.region(Memory.word(element + SendElement.WINDOW_REGION));
            if (region == null) {
                return false;
            }
        }
        boolean foreign = (access & ~OF_WINDOWS) != 0
                && owner.device.has(Behaviour.REFUSES_FOREIGN_REGION_RIGHTS);
        if (foreign || !fits(window, region, address, length, access)) {
            return false;
        }
        window.unbind();
        window.key = (window.key & ~0xff) | (Memory.word(element + SendElement.WINDOW_NEW_KEY) & 0xff);
        window.access = access;
        window.valid = true;
        window.address = address;
        window.length = length;
        window.region = region;
        if (region != null) {
            region.windows++;
        }
        if (window.type == 2) {
            window.queuePair = owner;
        }
        return true;
    }

    private boolean fits(Window window, @Nullable Region region, long address, long length, int access) {
        boolean zeroBased = (access & Access.ZERO_BASED.value()) != 0;
        if (window.type == 1) {
            if (!window.valid || zeroBased) {
                return false;
            }
        } else if (window.valid || owner.shape.domain() != window.domain || region == null) {
            return false;
        }
        if (region == null) {
            return true;
        }
        if ((region.access & Access.ZERO_BASED.value()) != 0
                || (region.access & Access.MEMORY_WINDOW_BIND.value()) == 0
                || ((access & WRITING) != 0 && (region.access & Access.LOCAL_WRITE.value()) == 0)) {
            return false;
        }
        return zeroBased
                ? Long.compareUnsigned(length, region.length) <= 0
                : region.holds(address, length);
    }
}
