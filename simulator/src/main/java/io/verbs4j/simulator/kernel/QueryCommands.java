// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.kernel;

import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.IbUverbsExQueryDeviceResp;
import io.verbs4j.abi.uapi.IbUverbsGidEntry;
import io.verbs4j.abi.uapi.IbUverbsQueryPortRespEx;
import io.verbs4j.simulator.profile.Behaviour;
import io.verbs4j.simulator.rxe.Address;
import io.verbs4j.simulator.rxe.RxeDevice;
import io.verbs4j.types.DeviceAttributes;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Queries of the device, its port and its addresses. The numbers are those of rxe_param.h.
record QueryCommands(OpenDevice file) {
    private static final ValueLayout.OfLong BIG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final int MANY = 1 << 20;
    private static final long CAPABILITIES = 0x122_3c76;
    private static final long FLUSH_AND_ATOMIC_WRITE =
            DeviceAttributes.FLUSH_GLOBAL | DeviceAttributes.FLUSH_PERSISTENT | DeviceAttributes.ATOMIC_WRITE;
    private static final int ROCE_V2 = 2;
    private static final int PORT = 1;

    private long capabilities() {
        return CAPABILITIES
                | (file.node().profile().has(Behaviour.ATOMIC_WRITE_AND_FLUSH) ? FLUSH_AND_ATOMIC_WRITE : 0);
    }

    void device(CView out) {
        device(out, "");
    }

    private void device(CView out, String base) {
        out.set(base + "max_mr_size", -1L)
                .set(base + "page_size_cap", 0xffff_f000L)
                .set(base + "vendor_id", 0xff_ffff)
                .set(base + "max_qp", MANY - 16)
                .set(base + "max_qp_wr", MANY)
                .set(base + "device_cap_flags", capabilities())
                .set(base + "max_sge", 32)
                .set(base + "max_sge_rd", 32)
                .set(base + "max_cq", MANY)
                .set(base + "max_cqe", 32767)
                .set(base + "max_mr", 524287)
                .set(base + "max_pd", MANY)
                .set(base + "max_qp_rd_atom", 128)
                .set(base + "max_res_rd_atom", 258048)
                .set(base + "max_qp_init_rd_atom", 128)
                .set(base + "atomic_cap", 1)
                .set(base + "max_mw", 524287)
                .set(base + "max_mcast_grp", 8192)
                .set(base + "max_mcast_qp_attach", RxeDevice.MAX_GROUP_MEMBERS)
                .set(base + "max_total_mcast_qp_attach", 458752)
                .set(base + "max_ah", 32767)
                .set(base + "max_srq", 917503)
                .set(base + "max_srq_wr", MANY)
                .set(base + "max_srq_sge", 27)
                .set(base + "max_pkeys", 64)
                .set(base + "local_ca_ack_delay", 15)
                .set(base + "phys_port_cnt", 1)
                .set(base + "node_guid", file.node().guid())
                .set(base + "sys_image_guid", file.node().guid());
    }

    void extendedDevice(CView in, CView out, MemorySegment driver) {
        Refusal.when(in.get("comp_mask") != 0 || in.get("reserved") != 0, Errno.EINVAL);
        boolean takes = file.node().profile().has(Behaviour.EXTENDED_QUERY_TAKES_DRIVER_DATA);
        Refusal.when(driver.byteSize() > 0 && !takes, Errno.EINVAL);
        device(out, "base.");
        out.set("response_length", IbUverbsExQueryDeviceResp.STRUCT.size()).set("device_cap_flags_ex", capabilities());
        if (file.node().profile().has(Behaviour.ON_DEMAND_PAGING)) {
            out.set("odp_caps.general_caps", 1)
                    .set("odp_caps.per_transport_caps.rc_odp_caps", 0xff)
                    .set("odp_caps.per_transport_caps.ud_odp_caps", 0x23);
        }
    }

    MemorySegment port(Arena arena, int port) {
        Refusal.unless(port == PORT, Errno.EINVAL);
        RxeDevice rxe = file.node().rxe();
        MemorySegment answer = IbUverbsQueryPortRespEx.STRUCT.allocate(arena);
        String base = "legacy_resp.";
        IbUverbsQueryPortRespEx.STRUCT
                .view(answer)
                .set(base + "port_cap_flags", 0x1_0000)
                .set(
                        base + "max_msg_sz",
                        file.node().profile().has(Behaviour.MESSAGES_OF_2_GIB) ? 1L << 31 : 8 << 20)
                .set(base + "bad_pkey_cntr", rxe.wrongPkeys())
                .set(base + "qkey_viol_cntr", rxe.wrongQkeys())
                .set(base + "gid_tbl_len", DeviceNode.GIDS)
                .set(base + "pkey_tbl_len", 1)
                .set(base + "state", rxe.isUp() ? 4 : 1)
                .set(base + "max_mtu", 5)
                .set(base + "active_mtu", Integer.numberOfTrailingZeros(rxe.activeMtu()) - 7)
                .set(base + "max_vl_num", 1)
                .set(base + "active_width", 1)
                .set(base + "active_speed", 1)
                .set(base + "phys_state", rxe.isUp() ? 5 : 3)
                .set(base + "link_layer", 2)
                .set(base + "flags", 1);
        return answer;
    }

    private MemorySegment entry(Arena arena, int index, Address address) {
        MemorySegment entry = IbUverbsGidEntry.STRUCT.allocate(arena);
        CView view = IbUverbsGidEntry.STRUCT.view(entry);
        view.slice("gid").set(BIG, 0, address.high());
        view.slice("gid").set(BIG, Long.BYTES, address.low());
        view.set("gid_index", index)
                .set("port_num", PORT)
                .set("gid_type", ROCE_V2)
                .set("netdev_ifindex", file.node().interfaceIndex());
        return entry;
    }

    int gids(long entrySize, MemorySegment room) {
        int size = IbUverbsGidEntry.STRUCT.size();
        Refusal.unless(entrySize == size, Errno.EINVAL);
        int written = 0;
        List<@Nullable Address> addresses = file.node().addresses();
        try (Arena arena = Arena.ofConfined()) {
            for (int i = 0; i < addresses.size(); i++) {
                Address address = addresses.get(i);
                if (address != null) {
                    Refusal.unless(room.byteSize() >= (written + 1L) * size, Errno.EINVAL);
                    room.asSlice((long) written++ * size, size).copyFrom(entry(arena, i, address));
                }
            }
        }
        return written;
    }

    MemorySegment gid(Arena arena, int port, long index) {
        Refusal.unless(port == PORT && index >= 0 && index < DeviceNode.GIDS, Errno.EINVAL);
        List<@Nullable Address> addresses = file.node().addresses();
        Address address = index < addresses.size() ? addresses.get((int) index) : null;
        if (address == null) {
            throw new Refusal(Errno.ENODATA);
        }
        return entry(arena, (int) index, address);
    }
}
