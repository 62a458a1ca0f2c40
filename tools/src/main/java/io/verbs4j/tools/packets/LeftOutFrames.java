// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.packets;

import io.verbs4j.roce.CapturedFrame;
import io.verbs4j.roce.LinkTypes;
import io.verbs4j.roce.OtherFrame;
import java.io.PrintWriter;
import java.util.Map;
import java.util.TreeMap;

/// Counts frames that may contain RoCE packets but cannot be shown.
final class LeftOutFrames {
    private final Map<Integer, Long> byLinkType = new TreeMap<>();
    private long fragments;
    private long tooShort;

    void count(OtherFrame kind, CapturedFrame frame) {
        switch (kind) {
            case OTHER_PROTOCOL -> {}
            case FRAGMENT -> fragments++;
            case TOO_SHORT -> tooShort++;
            case UNKNOWN_LINK_TYPE -> byLinkType.merge(frame.linkType(), 1L, Long::sum);
        }
    }

    boolean ofUnknownLinkTypes() {
        return !byLinkType.isEmpty();
    }

    /// Prints a line for each reason.
    void report(PrintWriter err) {
        byLinkType.forEach((linkType, count) -> err.println(frames(count) + LinkTypes.explain(linkType)));
        if (fragments > 0) {
            err.println(frames(fragments) + "later fragments of UDP packets, which may belong to RoCE v2 packets");
        }
        if (tooShort > 0) {
            err.println(frames(tooShort) + "cut within the headers before a packet");
        }
    }

    private static String frames(long count) {
        return count == 1 ? "1 frame left out: " : count + " frames left out: ";
    }
}
