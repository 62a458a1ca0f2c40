// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.types.AddressVector;
import io.verbs4j.types.Gid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/// Paths in their two formats.
class PathCodecProperties {
    @Provide
    Arbitrary<AddressVector> paths() {
        Arbitrary<Gid> gids = Combinators.combine(Arbitraries.longs(), Arbitraries.longs()).as(Gid::new);
        Arbitrary<Integer> bytes = Arbitraries.integers().between(0, 255);
        return Combinators.combine(
                gids,
                bytes,
                Arbitraries.integers().between(0, 0xfffff),
                bytes,
                bytes,
                Arbitraries.integers().between(0, 15),
                Arbitraries.integers().between(1, 255),
                Arbitraries.integers().between(0, 0xffff)).as(AddressVector::new);
    }

    @Property
    void theQueuePairFormGivesBackWhatWasWritten(@ForAll("paths") AddressVector path) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = IbUverbsQpDest.STRUCT.allocate(arena).fill((byte) 0xa5);
            IbUverbsQpDest.write(memory, path);
            assertThat(IbUverbsQpDest.read(memory)).isEqualTo(path);
        }
    }

    @Property
    void bothFormsHoldTheSame(@ForAll("paths") AddressVector path) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment first = IbUverbsQpDest.STRUCT.allocate(arena).fill((byte) 0xa5);
            MemorySegment second = IbUverbsAhAttr.STRUCT.allocate(arena).fill((byte) 0xa5);
            IbUverbsQpDest.write(first, path);
            IbUverbsAhAttr.write(second, path);
            CView queuePair = IbUverbsQpDest.STRUCT.view(first);
            CView addressHandle = IbUverbsAhAttr.STRUCT.view(second);
            for (String field : new String[]{"dlid", "sl", "src_path_bits", "static_rate", "is_global", "port_num"}) {
                assertThat(addressHandle.get(field)).as(field).isEqualTo(queuePair.get(field));
            }
            for (String field : new String[]{"flow_label", "sgid_index", "hop_limit", "traffic_class"}) {
                assertThat(addressHandle.get("grh." + field)).as(field).isEqualTo(queuePair.get(field));
            }
            byte[] gid = queuePair.slice("dgid").toArray(ValueLayout.JAVA_BYTE);
            assertThat(gid).isEqualTo(path.destinationGid().toBytes());
            assertThat(addressHandle.slice("grh.dgid").toArray(ValueLayout.JAVA_BYTE)).isEqualTo(gid);
            assertThat(addressHandle.get("grh.reserved")).isZero();
            assertThat(addressHandle.get("reserved")).isZero();
            assertThat(queuePair.get("reserved")).isZero();
            assertThat(IbUverbsAhAttr.read(second)).isEqualTo(path);
        }
    }

    /// A path without a port is none.
    @Example
    void bothFormsMayBeEmpty() {
        try (Arena arena = Arena.ofConfined()) {
            assertThat(IbUverbsQpDest.read(IbUverbsQpDest.STRUCT.allocate(arena))).isNull();
            assertThat(IbUverbsAhAttr.read(IbUverbsAhAttr.STRUCT.allocate(arena))).isNull();
        }
    }
}
