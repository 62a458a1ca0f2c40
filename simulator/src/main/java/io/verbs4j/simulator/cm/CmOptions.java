// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.cm;

/// The options of an identifier.
final class CmOptions {
    int typeOfService;
    boolean reusesAddress;
    boolean oneFamilyOnly;
    /// True if the program has set the family; otherwise the address determines it.
    boolean familyIsChosen;
    /// Acknowledgement timeout; 0 for the kernel's default.
    int acknowledgeTimeout;
}
