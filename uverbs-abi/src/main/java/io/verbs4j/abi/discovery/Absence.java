// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.discovery;

/// The reason why a machine has no visible RDMA device, and the remedy.
///
/// @param reason the reason, without a full stop
/// @param remedy the remedy, without a full stop
public record Absence(String reason, String remedy) {
    /// Returns reason and remedy in one sentence, without a full stop.
    @Override
    public String toString() {
        return reason + ": " + remedy;
    }
}
