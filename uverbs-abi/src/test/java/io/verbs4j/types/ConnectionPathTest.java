// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/// A path record: both GIDs follow eight bytes.
class ConnectionPathTest {
    private static final byte[] RECORD = HexFormat.of()
            .parseHex("ff".repeat(8) + "fd000000000000000000000000000002" + "fd000000000000000000000000000001"
                    + "ee".repeat(24));

    @Test
    void namesBothEnds() {
        var path = new ConnectionPath(5, RECORD);
        assertThat(path.flags()).isEqualTo(5);
        assertThat(path.source()).isEqualTo(new Gid(0xfd00L << 48, 1));
        assertThat(path.destination()).isEqualTo(new Gid(0xfd00L << 48, 2));
        assertThat(path).hasToString(path.source() + " → " + path.destination());
    }

    @Test
    void copiesItsBytes() {
        byte[] record = RECORD.clone();
        var path = new ConnectionPath(0, record);
        record[23] = 9;
        path.bytes()[23] = 9;
        assertThat(path.bytes()).isEqualTo(RECORD);
    }
}
