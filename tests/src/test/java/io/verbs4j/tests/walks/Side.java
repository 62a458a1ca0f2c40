// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

/// One end of the connection: `LEFT` is rxe0, `RIGHT` is rxe1.
enum Side {
    LEFT,
    RIGHT;

    Side peer() {
        return this == LEFT ? RIGHT : LEFT;
    }

    /// As it stands in texts and in programs.
    String text() {
        return this == LEFT ? "left" : "right";
    }
}
