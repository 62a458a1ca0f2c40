// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Copies memory to which a command refers by its address. For tracing, which observes commands.
public final class NativeBytes {
    private NativeBytes() {}

    /// Copies bytes from an address that is known to be mapped: one in a command that is being executed.
    @SuppressWarnings("restricted")
    public static byte[] copy(long address, long length) {
        return length == 0
                ? new byte[0]
                : MemorySegment.ofAddress(address).reinterpret(length).toArray(ValueLayout.JAVA_BYTE);
    }
}
