// SPDX-License-Identifier: Apache-2.0
package com.ibm.disni.util;

import io.verbs4j.disni.Buffers;
import java.nio.ByteBuffer;

/// Replaces DiSNI's class of the same name, which uses an internal class of the JDK.
public class MemoryUtils {
    /// Returns the address of a direct buffer's first byte.
    ///
    /// @throws ClassCastException if the buffer is on the heap
    public static long getAddress(ByteBuffer buffer) {
        return Buffers.address(buffer);
    }
}
