// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.devinfo;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.types.DeviceAttributes;
import io.verbs4j.types.Gid;
import io.verbs4j.types.GidEntry;
import io.verbs4j.types.GidType;
import io.verbs4j.types.LinkLayer;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.NodeType;
import io.verbs4j.types.PhysicalState;
import io.verbs4j.types.PortAttributes;
import io.verbs4j.types.PortState;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Against the output of `ibv_devinfo` (rdma-core 44) about an rxe device of Linux 6.12.
class DevinfoReportTest {
    private static final long GUID = 0x78c752fffe7a0dedL;

    private static DeviceFacts rxe() {
        return device(null, 0, 0, new DeviceAttributes.Extended(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    }

    private static DeviceFacts device(
            @Nullable String board, int fastRegions, int mapsPerFastRegion, DeviceAttributes.Extended extended) {
        var device = new DeviceAttributes(
                0,
                GUID,
                GUID,
                -1,
                0xfffff000L,
                0xffffff,
                0,
                0,
                1048560,
                1048576,
                0x1C001223C76L,
                32,
                32,
                1048576,
                32767,
                524287,
                1048576,
                128,
                0,
                258048,
                128,
                0,
                1,
                0,
                0,
                524287,
                0,
                0,
                8192,
                56,
                458752,
                32767,
                fastRegions,
                mapsPerFastRegion,
                917503,
                1048576,
                27,
                64,
                15,
                1,
                extended);
        var port = new PortAttributes(
                1,
                PortState.ACTIVE,
                PhysicalState.LINK_UP,
                Mtu.MTU_4096,
                Mtu.MTU_1024,
                0x8000_0000L,
                1024,
                1,
                0x10000,
                0,
                0,
                0,
                0,
                0,
                0,
                1,
                0,
                0,
                0,
                1,
                8,
                LinkLayer.ETHERNET,
                1);
        var gids = List.of(
                new GidEntry(new Gid(0xfe80000000000000L, GUID), 0, 1, GidType.ROCE_V2, 2),
                new GidEntry(new Gid(0, 0xffff0a090001L), 1, 1, GidType.ROCE_V2, 2));
        return new DeviceFacts("rxe0", NodeType.CA, board, device, 2, List.of(new DeviceFacts.Port(port, gids)));
    }

    private static String print(DeviceFacts facts, boolean verbose) {
        var text = new StringWriter();
        var out = new PrintWriter(text);
        new DevinfoReport(out, verbose).print(facts);
        out.flush();
        return text.toString();
    }

    private static String fixture(String name) throws IOException {
        try (var input = DevinfoReportTest.class.getResourceAsStream(name)) {
            return new String(input.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void shortFormIsThatOfC() throws IOException {
        assertThat(print(rxe(), false)).isEqualTo(fixture("ibv_devinfo.txt"));
    }

    @Test
    void verboseFormIsThatOfC() throws IOException {
        assertThat(print(rxe(), true)).isEqualTo(fixture("ibv_devinfo-v.txt"));
    }

    /// The lines of capabilities that rxe lacks (`print_hca_cap`, libibverbs/examples/devinfo.c).
    @Test
    void linesOfOtherDevicesAreThoseOfC() {
        String text = print(
                device("MT_0000000080", 7, 8,
                        new DeviceAttributes.Extended(0, 0, 0, 0, 0, 0xffff, 1_000_000, 9, 15, 10, 11, 12, 13)),
                true);
        assertThat(text).contains(
                "\tboard_id:\t\t\tMT_0000000080\n\tphys_port_cnt:",
                "\tmax_fmr:\t\t\t7\n\tmax_map_per_fmr:\t\t8\n",
                "\tcompletion timestamp_mask:\t\t\t0x000000000000ffff\n",
                "\thca_core_clock:\t\t\t1000000kHZ\n",
                "\traw packet caps:\n\t\t\t\t\tC-VLAN stripping offload\n\t\t\t\t\tScatter FCS offload\n"
                        + "\t\t\t\t\tIP csum offload\n\t\t\t\t\tDelay drop\n",
                "\tmax_wq_type_rq:\t\t\t9\n",
                "\tmax_rndv_hdr_size:\t\t10\n",
                "\n\n\tcq moderation caps:\n\t\tmax_cq_count:\t11\n\t\tmax_cq_period:\t12 us\n\n",
                "\tmaximum available device memory:\t13Bytes\n\n");
        assertThat(text).doesNotContain("not supported");
        for (int[] moderation : new int[][]{{0, 12}, {11, 0}}) {
            assertThat(print(
                    device(null, 0, 0,
                            new DeviceAttributes.Extended(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, moderation[0], moderation[1],
                                    0)),
                    true)).doesNotContain("cq moderation");
        }
    }

    @Test
    void unnamedFlagsAreShownAsANumber() {
        assertThat(Flags.DEVICE.of(0x8000_0002L)).containsExactly("BAD_PKEY_CNTR", "Unknown flags: 0x80000000");
        assertThat(Flags.ODP_TRANSPORT.of(0x1ff))
                .containsExactly(
                        "SUPPORT_SEND",
                        "SUPPORT_RECV",
                        "SUPPORT_WRITE",
                        "SUPPORT_READ",
                        "SUPPORT_ATOMIC",
                        "SUPPORT_SRQ",
                        "SUPPORT_FLUSH",
                        "SUPPORT_ATOMIC_WRITE",
                        "Unknown flags: 0x100");
    }
}
