// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

/// The memory that a flush covers (`enum ib_selectivity_level`; IBA vol. 1, annex A19).
public enum FlushLevel {
    /// The given range.
    RANGE(0),
    /// The whole memory region that the key belongs to.
    REGION(1);

    private final int value;

    FlushLevel(int value) {
        this.value = value;
    }

    int value() {
        return value;
    }
}
