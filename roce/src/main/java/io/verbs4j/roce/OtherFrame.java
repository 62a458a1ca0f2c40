// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

/// The reason why a frame contains no RoCE packet.
public enum OtherFrame implements DecodedFrame {
    /// The frame belongs to another protocol.
    OTHER_PROTOCOL,
    /// The frame is a later fragment of an IP packet. Only the first fragment contains the protocol's headers.
    FRAGMENT,
    /// The frame ends within the headers in front of the RoCE packet.
    TOO_SHORT,
    /// The link type of the frame is unknown ([LinkTypes#explain(int)]).
    UNKNOWN_LINK_TYPE
}
