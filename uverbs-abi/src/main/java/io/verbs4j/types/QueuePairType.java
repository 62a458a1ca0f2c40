// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Transport service of a queue pair (`enum ibv_qp_type`; IBA vol. 1, 9.1).
public enum QueuePairType {
    /// `IBV_QPT_RC`, reliable connection: one peer, acknowledged packets in order. Supports all operations.
    RC(2),
    /// `IBV_QPT_UC`, unreliable connection: one peer, no acknowledgements. Supports sends and RDMA writes.
    UC(3),
    /// `IBV_QPT_UD`, unreliable datagram: a destination per message, one packet per message. Supports sends only.
    UD(4),
    /// `IBV_QPT_RAW_PACKET`: whole Ethernet packets; needs [Feature#RAW_PACKET], which rxe does not have.
    RAW_PACKET(8, Feature.RAW_PACKET),
    /// `IBV_QPT_XRC_SEND`, sending end of an extended reliable connection; needs
    /// [Feature#EXTENDED_RELIABLE_CONNECTION], which rxe does not have.
    XRC_INI(9, Feature.EXTENDED_RELIABLE_CONNECTION),
    /// `IBV_QPT_XRC_RECV`, receiving end of an extended reliable connection; also needs
    /// [Feature#EXTENDED_RELIABLE_CONNECTION].
    XRC_TGT(10, Feature.EXTENDED_RELIABLE_CONNECTION);

    private final int value;
    private final @Nullable Feature feature;

    QueuePairType(int value) {
        this(value, null);
    }

    QueuePairType(int value, @Nullable Feature feature) {
        this.value = value;
        this.feature = feature;
    }

    /// Returns the feature that a device needs for this type; empty for RC, UC and UD.
    public Optional<Feature> feature() {
        return Optional.ofNullable(feature);
    }

    /// Returns the kernel's number.
    public int value() {
        return value;
    }
}
