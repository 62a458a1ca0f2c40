// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import io.verbs4j.tools.common.ToolException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The bytes by which rstream and riostream check received data. Each byte is one more than the previous one, across
/// all transfers.
final class StreamPattern {
    private byte nextSent;
    private byte nextExpected;
    private long checked;

    void fill(MemorySegment buffer, int bytes) {
        for (int i = 0; i < bytes; i++) {
            buffer.set(ValueLayout.JAVA_BYTE, i, nextSent++);
        }
    }

    /// @throws ToolException if a byte differs
    void check(MemorySegment buffer, int bytes) {
        for (int i = 0; i < bytes; i++, checked++) {
            if (buffer.get(ValueLayout.JAVA_BYTE, i) != nextExpected++) {
                throw new ToolException("data verification failed byte " + checked);
            }
        }
    }
}
