// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm.walks;

/// A host that a command names.
enum Place {
    /// The left device's.
    LEFT("10.9.0.1", "rxe0"),
    /// The right device's.
    RIGHT("10.9.0.2", "rxe1"),
    /// Any of this machine.
    ANY("0.0.0.0", "-"),
    /// On the lab's wire, but nobody has it.
    FOREIGN("10.9.0.77", "-"),
    /// There is no route to it.
    NOWHERE("10.77.0.1", "-");

    final String host;
    final String device;

    Place(String host, String device) {
        this.host = host;
        this.device = device;
    }

    boolean isDevice() {
        return this == LEFT || this == RIGHT;
    }
}
