// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// The layer that carries the port's packets.
///
/// The kernel may report a value that this version of verbs4j does not name. Its text form is `UNKNOWN(n)`.
///
/// @param value the kernel's number (`IBV_LINK_LAYER_*`)
public record LinkLayer(int value) {
    /// Not reported.
    public static final LinkLayer UNSPECIFIED = new LinkLayer(0);

    /// InfiniBand.
    public static final LinkLayer INFINIBAND = new LinkLayer(1);

    /// Ethernet, as with RoCE.
    public static final LinkLayer ETHERNET = new LinkLayer(2);

    private static final CodeNames NAMES = new CodeNames("UNSPECIFIED", "INFINIBAND", "ETHERNET");

    /// Returns whether this version of verbs4j has a name for the value.
    public boolean known() {
        return NAMES.known(value);
    }

    @Override
    public String toString() {
        return NAMES.name(value);
    }
}
