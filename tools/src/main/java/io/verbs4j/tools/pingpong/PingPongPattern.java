// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// The bytes that `-c` sends and checks. The client marks the first byte of each page. The server sends back the
/// received bytes, and the client finally checks the marks. C computes a mark as `page % sizeof(char)`, which is always
/// 0. Unmarked memory contains 0x7b at both ends, so a missing message is detected.
final class PingPongPattern {
    private static final byte BACKGROUND = 0x7b;
    private static final byte MARK = 0;
    /// The page size of both ends. Otherwise one end would mark other pages than the other checks.
    private static final int PAGE_BYTES = 4096;

    private PingPongPattern() {}

    /// Fills memory like memory without a received message.
    static void clear(MemorySegment memory) {
        memory.fill(BACKGROUND);
    }

    /// Marks the pages.
    static void mark(MemorySegment memory) {
        for (long at = 0; at < memory.byteSize(); at += PAGE_BYTES) {
            memory.set(ValueLayout.JAVA_BYTE, at, MARK);
        }
    }

    /// Returns the pages without a mark, from 0.
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
