// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import java.util.OptionalInt;

/// A RoCE packet that is incomplete, or whose lengths contradict each other. Its invariant CRC cannot be checked.
///
/// @param number number of the frame in the capture, from 1
/// @param nanoseconds time of the capture, since 1970, or [CapturedFrame#NO_TIME]
/// @param layers the layers around the packet
/// @param start the complete headers
/// @param payloadLength length of the payload according to the packet's length fields; empty if the headers are
///     incomplete or contradict each other
/// @param capturedLength number of captured bytes
/// @param problem description of the damage, as a clause
public record DamagedFrame(
        long number,
        long nanoseconds,
        FrameLayers layers,
        PacketStart start,
        OptionalInt payloadLength,
        int capturedLength,
        String problem)
        implements DecodedFrame {}
