// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// The bytes that `-c` sends and checks. The client marks the first byte of every page, the server sends back what it received and
/// looks at the marks in the end. C computes a mark as `page % sizeof(char)`, which is always 0; what is not marked holds
/// 0x7b, at both ends, so a message that did not arrive is noticed.
final class PingPongPattern {
    private static final byte BACKGROUND = 0x7b;
    private static final byte MARK = 0;
    /// That of both ends, or the pages that the one marks are not those that the other checks.
    private static final int PAGE_BYTES = 4096;

    private PingPongPattern() {}

    /// Makes memory that no message has reached yet.
    static void clear(MemorySegment memory) {
        memory.fill(BACKGROUND);
    }

    /// Marks the pages.
    static void mark(MemorySegment memory) {
        for (long at = 0; at < memory.byteSize(); at += PAGE_BYTES) {
            memory.set(ValueLayout.JAVA_BYTE, at, MARK);
        }
    }

    /// The pages, from 0, without a mark.
    static List<Long> unmarkedPages(MemorySegment memory) {
        var pages = new ArrayList<Long>();
        for (long at = 0; at < memory.byteSize(); at += PAGE_BYTES) {
            if (memory.get(ValueLayout.JAVA_BYTE, at) != MARK) {
                pages.add(at / PAGE_BYTES);
            }
        }
        return pages;
    }
}
