// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

/// Local memory of a work request.
///
/// @param region number of one of the end's regions
/// @param offset its first byte
/// @param length in bytes; may exceed the region
/// @param wrongKey whether the key belongs to no region
record Part(int region, int offset, int length, boolean wrongKey) {
    boolean overlaps(Part other) {
        return region == other.region && offset < other.offset + other.length && other.offset < offset + length;
    }
}
