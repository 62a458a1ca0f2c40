// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import java.util.OptionalInt;

/// A RoCE packet of which only a part is there, or whose lengths contradict each other. Its invariant CRC cannot be checked.
///
/// @param number of the frame in the capture, from 1
/// @param nanoseconds when it was captured, since 1970, or [CapturedFrame#NO_TIME]
/// @param layers what carried it
/// @param start headers that are there
/// @param payloadLength bytes of payload that the packet had, as its lengths say; empty if its headers are not all there or
///     contradict each other
/// @param capturedLength bytes of the frame that are there
/// @param problem what is wrong or missing, as a clause
public record DamagedFrame(
        long number,
        long nanoseconds,
        FrameLayers layers,
        PacketStart start,
        OptionalInt payloadLength,
        int capturedLength,
        String problem)
        implements DecodedFrame {}
