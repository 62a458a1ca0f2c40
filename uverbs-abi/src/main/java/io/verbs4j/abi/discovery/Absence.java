// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.discovery;

/// The reason why a machine shows no RDMA device, and the remedy.
///
/// @param reason what is the case, without a full stop
/// @param remedy what to do about it, without a full stop
public record Absence(String reason, String remedy) {
    /// Reason and remedy in one sentence, without a full stop.
    @Override
    public String toString() {
        return reason + ": " + remedy;
    }
}
