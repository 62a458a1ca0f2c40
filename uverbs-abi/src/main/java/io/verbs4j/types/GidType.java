// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// The protocol of a GID table entry (`enum ibv_gid_type`).
///
/// The kernel may report a value that this version of verbs4j does not name. Its text form is `UNKNOWN(n)`.
///
/// @param value the kernel's number (`IB_UVERBS_GID_TYPE_*`)
public record GidType(int value) {
    /// InfiniBand.
    public static final GidType IB = new GidType(0);

    /// RoCE v1: Ethernet frames of type 0x8915.
    public static final GidType ROCE_V1 = new GidType(1);

    /// RoCE v2: UDP packets to port 4791.
    public static final GidType ROCE_V2 = new GidType(2);

    private static final CodeNames NAMES = new CodeNames("IB", "ROCE_V1", "ROCE_V2");

    /// Returns whether this version of verbs4j has a name for the value.
    public boolean known() {
        return NAMES.known(value);
    }

    @Override
    public String toString() {
        return NAMES.name(value);
    }
}
