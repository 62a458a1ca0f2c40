// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.cm;

/// Options that a program has set of an identifier.
final class CmOptions {
    int typeOfService;
    boolean reusesAddress;
    boolean oneFamilyOnly;
    /// True if a program has said so; otherwise the address does.
    boolean familyIsChosen;
    /// Acknowledgement timeout; 0 for the kernel's own.
    int acknowledgeTimeout;
}
