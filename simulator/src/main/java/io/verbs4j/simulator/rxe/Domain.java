// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

/// A protection domain. It has no state but its identity.
public final class Domain {
    /// Creates a domain.
    public Domain() {}
}
