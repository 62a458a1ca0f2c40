// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

/// Why a frame shows no RoCE packet.
public enum OtherFrame implements DecodedFrame {
    /// It is of another protocol.
    OTHER_PROTOCOL,
    /// It is a fragment of an IP packet after the first, and does not say of which protocol.
    FRAGMENT,
    /// It ends within the headers before a packet.
    TOO_SHORT,
    /// Its link type is not known ([LinkTypes#explain(int)]).
    UNKNOWN_LINK_TYPE
}
