// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce.mad;

import java.util.Arrays;
import java.util.Optional;

/// A message of the connection manager (IBA vol. 1, 12.6; `CM_REQ_ATTR_ID` and its neighbours, include/rdma/ib_cm.h).
public enum CmMessageType {
    /// Request for a connection.
    REQ(0x0010, CmLayouts.REQ),
    /// The receiver of a request or a response needs more time.
    MRA(0x0011, CmLayouts.MRA),
    /// Rejection.
    REJ(0x0012, CmLayouts.REJ),
    /// Acceptance of a request.
    REP(0x0013, CmLayouts.REP),
    /// Ready to use: the end of the handshake.
    RTU(0x0014, CmLayouts.RTU),
    /// Request to disconnect.
    DREQ(0x0015, CmLayouts.DREQ),
    /// Response to a request to disconnect.
    DREP(0x0016, CmLayouts.DREP),
    /// Request for the queue pair number of a datagram service.
    SIDR_REQ(0x0017, CmLayouts.SIDR_REQ),
    /// Response to a request for a queue pair number.
    SIDR_REP(0x0018, CmLayouts.SIDR_REP),
    /// Request to load an alternate path.
    LAP(0x0019, CmLayouts.LAP),
    /// Response to a request to load an alternate path.
    APR(0x001a, CmLayouts.APR);

    private final int attributeId;
    @SuppressWarnings("ImmutableEnumChecker") // it is immutable; Error Prone's annotation would be a dependency
    private final BitLayout layout;

    CmMessageType(int attributeId, BitLayout layout) {
        this.attributeId = attributeId;
        this.layout = layout;
    }

    /// Returns the attribute id for the header of the MAD.
    public int attributeId() {
        return attributeId;
    }

    /// Returns the fields after the header of the MAD.
    public BitLayout layout() {
        return layout;
    }

    /// Returns the message with an attribute id; empty if the id is not assigned.
    public static Optional<CmMessageType> of(int attributeId) {
        return Arrays.stream(values()).filter(type -> type.attributeId == attributeId).findFirst();
    }
}
