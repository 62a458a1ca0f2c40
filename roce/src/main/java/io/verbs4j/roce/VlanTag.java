// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

/// A VLAN tag of an Ethernet frame.
///
/// @param priority 0 to 7
/// @param dropEligible whether the frame may be dropped under congestion
/// @param id 0 to 4095
public record VlanTag(int priority, boolean dropEligible, int id) {
    /// Length in bytes, including the type that follows.
    static final int BYTES = 4;

    private static final int DROP_ELIGIBLE = 0x1000;

    static VlanTag of(int bits) {
        return new VlanTag(bits >>> 13, (bits & DROP_ELIGIBLE) != 0, bits & 0xfff);
    }
}
