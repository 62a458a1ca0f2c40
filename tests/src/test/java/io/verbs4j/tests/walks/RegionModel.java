// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

/// A registered region. Its keys are known by how often it was renewed.
final class RegionModel {
    final byte[] bytes;
    final int rights;
    final int generation;

    RegionModel(Side side, int number, int generation) {
        this.bytes = Layout.content(side, number);
        this.rights = Layout.REGIONS.get(number).rights();
        this.generation = generation;
    }

    boolean grants(int needed) {
        return (rights & needed) == needed;
    }

    boolean holds(long offset, int length) {
        return offset >= 0 && offset + length <= bytes.length;
    }
}
