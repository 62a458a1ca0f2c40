// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

/// The reason why a frame contains no RoCE packet.
public enum OtherFrame implements DecodedFrame {
    /// It belongs to another protocol.
    OTHER_PROTOCOL,
    /// It is a later fragment of an IP packet, which does not contain the protocol.
    FRAGMENT,
    /// It ends within the headers before a packet.
    TOO_SHORT,
    /// Its link type is unknown ([LinkTypes#explain(int)]).
    UNKNOWN_LINK_TYPE
}
