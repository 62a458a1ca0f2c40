// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

/// A protection domain: only its identity counts.
public final class Domain {
    /// A new one.
    public Domain() {}
}
