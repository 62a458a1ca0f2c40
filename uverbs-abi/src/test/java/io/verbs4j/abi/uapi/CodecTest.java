// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.queuepair.CreateQueuePair;
import io.verbs4j.types.Access;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.AsyncEventType;
import io.verbs4j.types.DeviceAttributes;
import io.verbs4j.types.Gid;
import io.verbs4j.types.GidEntry;
import io.verbs4j.types.GidType;
import io.verbs4j.types.LinkLayer;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.PhysicalState;
import io.verbs4j.types.PortAttributes;
import io.verbs4j.types.PortState;
import io.verbs4j.types.QueuePairAttribute;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairCapabilities;
import io.verbs4j.types.QueuePairState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.HexFormat;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Conversions between structs and records.
class CodecTest {
    private static final Gid GID = Gid.parse("0000:0000:0000:0000:0000:ffff:0a09:0001");

    private final Arena arena = Arena.ofConfined();

    @AfterEach
    void freeMemory() {
        arena.close();
    }

    private MemorySegment dirty(CStruct struct) {
        return struct.allocate(arena).fill((byte) 0xa5);
    }

    /// Sets each number of a struct to another value: 1, 2, 3 …
    private MemorySegment numbered(CStruct struct) {
        MemorySegment memory = dirty(struct);
        CView view = struct.zeroed(memory);
        int value = 1;
        for (CStruct.Field field : struct.fields()) {
            if (field.isNumber()) {
                view.set(field.path(), value++);
            }
        }
        return memory;
    }

    private static TreeSet<Long> numbers(Record value) throws ReflectiveOperationException {
        var numbers = new TreeSet<Long>();
        for (RecordComponent component : value.getClass().getRecordComponents()) {
            collect(component.getAccessor().invoke(value), numbers);
        }
        return numbers;
    }

    private static void collect(Object value, TreeSet<Long> numbers)
            throws IllegalAccessException, InvocationTargetException {
        if (value instanceof Number number) {
            assertThat(numbers.add(number.longValue())).as("each field once: " + number).isTrue();
        } else if (value instanceof Record inner) {
            for (RecordComponent component : inner.getClass().getRecordComponents()) {
                collect(component.getAccessor().invoke(inner), numbers);
            }
        }
    }

    @Test
    void deviceAttributesTakeEachFieldOfTheAnswerOnce() throws ReflectiveOperationException {
        MemorySegment memory = numbered(IbUverbsExQueryDeviceResp.STRUCT);
        CView view = IbUverbsExQueryDeviceResp.STRUCT.view(memory);
        view.set("response_length", IbUverbsExQueryDeviceResp.STRUCT.size());
        DeviceAttributes attributes = IbUverbsExQueryDeviceResp.read(memory);
        // 41 components, one of which is a record with another 13.
        assertThat(numbers(attributes)).hasSize(53);
        assertThat(attributes.firmwareVersion()).isEqualTo(view.get("base.fw_ver"));
        assertThat(attributes.nodeGuid()).isEqualTo(view.get("base.node_guid"));
        assertThat(attributes.maxQueuePairs()).isEqualTo(view.getInt("base.max_qp"));
        assertThat(attributes.maxSharedReceiveQueueScatterGather()).isEqualTo(view.getInt("base.max_srq_sge"));
        assertThat(attributes.ports()).isEqualTo(view.getInt("base.phys_port_cnt"));
        assertThat(attributes.capabilityFlags()).isEqualTo(view.get("device_cap_flags_ex"));
        assertThat(attributes.extended().odpUd()).isEqualTo(view.getInt("odp_caps.per_transport_caps.ud_odp_caps"));
        assertThat(attributes.extended().maxDeviceMemory()).isEqualTo(view.get("max_dm_size"));
    }

    @Test
    void capabilityFlagsComeFromThePlainPartIfTheKernelStopsBeforeTheExtendedOnes() {
        MemorySegment memory = numbered(IbUverbsExQueryDeviceResp.STRUCT);
        CView view = IbUverbsExQueryDeviceResp.STRUCT.view(memory);
        view.set("response_length", IbUverbsExQueryDeviceResp.STRUCT.offset("device_cap_flags_ex"));
        assertThat(IbUverbsExQueryDeviceResp.read(memory).capabilityFlags())
                .isEqualTo(view.get("base.device_cap_flags"));
    }

    @Test
    void guidsAreBigEndian() {
        MemorySegment memory = dirty(IbUverbsQueryDeviceResp.STRUCT);
        CView view = IbUverbsQueryDeviceResp.STRUCT.zeroed(memory);
        view.slice("node_guid").copyFrom(MemorySegment.ofArray(HexFormat.of().parseHex("100138fffe7e2e82")));
        DeviceAttributes attributes = IbUverbsQueryDeviceResp.read(memory);
        assertThat(attributes.nodeGuid()).isEqualTo(0x100138fffe7e2e82L);
        assertThat(attributes.extended().odpGeneral()).isZero();
    }

    @Test
    void plainDeviceAttributesHaveUnsignedLowFlags() {
        MemorySegment memory = dirty(IbUverbsQueryDeviceResp.STRUCT);
        IbUverbsQueryDeviceResp.STRUCT.zeroed(memory).set("device_cap_flags", 0x8000_0001L);
        assertThat(IbUverbsQueryDeviceResp.read(memory).capabilityFlags()).isEqualTo(0x8000_0001L);
    }

    @Test
    void portAttributesAreReadFieldByField() {
        MemorySegment memory = dirty(IbUverbsQueryPortRespEx.STRUCT);
        CView view = IbUverbsQueryPortRespEx.STRUCT.zeroed(memory);
        view.set("legacy_resp.port_cap_flags", 0x10000)
                .set("legacy_resp.max_msg_sz", 0x8000_0000L)
                .set("legacy_resp.bad_pkey_cntr", 11)
                .set("legacy_resp.qkey_viol_cntr", 12)
                .set("legacy_resp.gid_tbl_len", 1024)
                .set("legacy_resp.pkey_tbl_len", 1)
                .set("legacy_resp.lid", 13)
                .set("legacy_resp.sm_lid", 14)
                .set("legacy_resp.state", 4)
                .set("legacy_resp.max_mtu", 5)
                .set("legacy_resp.active_mtu", 3)
                .set("legacy_resp.lmc", 15)
                .set("legacy_resp.max_vl_num", 16)
                .set("legacy_resp.sm_sl", 17)
                .set("legacy_resp.subnet_timeout", 18)
                .set("legacy_resp.init_type_reply", 19)
                .set("legacy_resp.active_width", 2)
                .set("legacy_resp.active_speed", 128)
                .set("legacy_resp.phys_state", 5)
                .set("legacy_resp.link_layer", 2)
                .set("legacy_resp.flags", 1)
                .set("port_cap_flags2", 20);
        var expected = new PortAttributes(
                1,
                PortState.ACTIVE,
                PhysicalState.LINK_UP,
                Mtu.MTU_4096,
                Mtu.MTU_1024,
                0x8000_0000L,
                1024,
                1,
                0x10000,
                20,
                11,
                12,
                13,
                14,
                15,
                16,
                17,
                18,
                19,
                2,
                128,
                LinkLayer.ETHERNET,
                1);
        assertThat(IbUverbsQueryPortRespEx.read(memory, 1)).isEqualTo(expected);
        view.set("active_speed_ex", 256);
        assertThat(IbUverbsQueryPortRespEx.read(memory, 1).activeSpeed()).isEqualTo(256);
        assertThat(IbUverbsQueryPortResp.read(view.slice("legacy_resp"), 3).capabilityFlags2()).isZero();
        assertThat(IbUverbsQueryPortResp.read(view.slice("legacy_resp"), 3).port()).isEqualTo(3);
    }

    @Test
    void anMtuThatVerbsDoNotHaveBecomesTheNearestOne() {
        MemorySegment memory = dirty(IbUverbsQueryPortResp.STRUCT);
        IbUverbsQueryPortResp.STRUCT.zeroed(memory).set("max_mtu", 7).set("active_mtu", 0);
        assertThat(IbUverbsQueryPortResp.read(memory, 1).maxMtu()).isEqualTo(Mtu.MTU_4096);
        assertThat(IbUverbsQueryPortResp.read(memory, 1).activeMtu()).isEqualTo(Mtu.MTU_256);
    }

    @Test
    void aGidEntryIsInNetworkOrder() {
        MemorySegment memory = dirty(IbUverbsGidEntry.STRUCT);
        CView view = IbUverbsGidEntry.STRUCT.view(memory);
        view.set("gid_index", 1).set("port_num", 2).set("gid_type", 2).set("netdev_ifindex", 7);
        GidBytes.write(view.slice("gid"), GID);
        assertThat(memory.asSlice(0, 16).toArray(ValueLayout.JAVA_BYTE)).isEqualTo(GID.toBytes());
        assertThat(IbUverbsGidEntry.read(memory)).isEqualTo(new GidEntry(GID, 1, 2, GidType.ROCE_V2, 7));
    }

    @Test
    void capabilitiesAreWrittenAndReadInEveryStructThatHasThem() {
        var capabilities = new QueuePairCapabilities(1, 2, 3, 4, 5);
        for (CStruct struct : new CStruct[]{IbUverbsQpCap.STRUCT, CreateQueuePair.REQUEST,
                CreateQueuePair.RESPONSE}) {
            CView view = IbUverbsQpCap.write(struct.zeroed(dirty(struct)), capabilities);
            assertThat(view.getInt("max_recv_wr")).isEqualTo(2);
            assertThat(view.getInt("max_inline_data")).isEqualTo(5);
            assertThat(IbUverbsQpCap.read(view)).isEqualTo(capabilities);
        }
    }

    @Test
    void aModifyRequestCarriesEveryAttribute() {
        var path = AddressVector.roce(1, 2, GID);
        var alternate = AddressVector.roce(2, 3, GID);
        var attributes = QueuePairAttributes.builder()
                .state(QueuePairState.RTR)
                .currentState(QueuePairState.INIT)
                .sqdAsyncNotify(true)
                .access(Access.REMOTE_READ, Access.REMOTE_WRITE)
                .pkeyIndex(21)
                .port(22)
                .qkey(0x80000023)
                .addressVector(path)
                .pathMtu(Mtu.MTU_2048)
                .timeout(24)
                .retryCount(5)
                .rnrRetry(6)
                .receivePsn(0xabcdef)
                .sendPsn(0x123456)
                .maxReadAtomic(27)
                .maxDestinationReadAtomic(28)
                .minRnrTimer(29)
                .destinationQueuePairNumber(0x654321)
                .pathMigrationState(2)
                .alternatePath(alternate)
                .build();
        MemorySegment memory = dirty(IbUverbsModifyQp.STRUCT);
        IbUverbsModifyQp.write(memory, 77, attributes);
        CView view = IbUverbsModifyQp.STRUCT.view(memory);
        assertThat(view.getInt("qp_handle")).isEqualTo(77);
        assertThat(view.getInt("attr_mask")).isEqualTo(0x17ffff);
        assertThat(view.getInt("qp_state")).isEqualTo(2);
        assertThat(view.getInt("cur_qp_state")).isEqualTo(1);
        assertThat(view.getInt("en_sqd_async_notify")).isEqualTo(1);
        assertThat(view.getInt("qp_access_flags")).isEqualTo(6);
        assertThat(view.getInt("pkey_index")).isEqualTo(21);
        assertThat(view.getInt("port_num")).isEqualTo(22);
        assertThat(view.getInt("qkey")).isEqualTo(0x80000023);
        assertThat(view.getInt("path_mtu")).isEqualTo(4);
        assertThat(view.getInt("timeout")).isEqualTo(24);
        assertThat(view.getInt("retry_cnt")).isEqualTo(5);
        assertThat(view.getInt("rnr_retry")).isEqualTo(6);
        assertThat(view.getInt("rq_psn")).isEqualTo(0xabcdef);
        assertThat(view.getInt("sq_psn")).isEqualTo(0x123456);
        assertThat(view.getInt("max_rd_atomic")).isEqualTo(27);
        assertThat(view.getInt("max_dest_rd_atomic")).isEqualTo(28);
        assertThat(view.getInt("min_rnr_timer")).isEqualTo(29);
        assertThat(view.getInt("dest_qp_num")).isEqualTo(0x654321);
        assertThat(view.getInt("path_mig_state")).isEqualTo(2);
        assertThat(view.getInt("alt_port_num")).isEqualTo(2);
        assertThat(view.getInt("alt_pkey_index")).isZero();
        assertThat(view.slice("reserved").toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
        assertThat(IbUverbsQpDest.read(view.slice("dest"))).isEqualTo(path);
        assertThat(IbUverbsQpDest.read(view.slice("alt_dest"))).isEqualTo(alternate);
    }

    @Test
    void aModifyRequestOfTheStateAloneIsZeroElsewhere() {
        MemorySegment memory = dirty(IbUverbsModifyQp.STRUCT);
        IbUverbsModifyQp.write(
                memory, 5, QueuePairAttributes.builder().state(QueuePairState.ERR).build());
        byte[] expected = new byte[IbUverbsModifyQp.STRUCT.size()];
        expected[64] = 5;
        expected[68] = 1;
        expected[96] = 6;
        assertThat(memory.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected);
    }

    @Test
    void aQueryGivesThePresentStateAndNotTheStaleOne() {
        MemorySegment memory = dirty(IbUverbsQueryQpResp.STRUCT);
        CView view = IbUverbsQueryQpResp.STRUCT
                .zeroed(memory)
                .set("qp_state", 3)
                .set("cur_qp_state", 0)
                .set("path_mtu", 3)
                .set("sq_draining", 1)
                .set("rq_psn", 0xff123456L)
                .set("timeout", 14)
                .set("retry_cnt", 7)
                .set("rnr_retry", 6)
                .set("min_rnr_timer", 12)
                .set("dest_qp_num", 17)
                .set("qp_access_flags", 6)
                .set("max_rd_atomic", 4)
                .set("max_dest_rd_atomic", 8)
                .set("port_num", 1)
                .set("qkey", 0x11)
                .set("sq_psn", 5);
        var path = AddressVector.roce(1, 1, GID);
        IbUverbsQpDest.write(view.slice("dest"), path);
        var capabilities = new QueuePairCapabilities(15, 16, 2, 3, 100);
        IbUverbsQpCap.write(view, capabilities);
        QueuePairAttributes attributes = IbUverbsQueryQpResp.read(memory);
        var expected = QueuePairAttributes.builder()
                .state(QueuePairState.RTS)
                .currentState(QueuePairState.RTS)
                .pathMtu(Mtu.MTU_1024)
                .sendQueueDraining(true)
                .receivePsn(0x123456)
                .sendPsn(5)
                .timeout(14)
                .retryCount(7)
                .rnrRetry(6)
                .minRnrTimer(12)
                .destinationQueuePairNumber(17)
                .accessFlags(6)
                .maxReadAtomic(4)
                .maxDestinationReadAtomic(8)
                .port(1)
                .pkeyIndex(0)
                .qkey(0x11)
                .pathMigrationState(0)
                .addressVector(path)
                .capabilities(capabilities)
                .build();
        assertThat(attributes).isEqualTo(expected);
    }

    @Test
    void aQueryOfAFreshQueuePairHasNoPathAndNoMtu() {
        MemorySegment memory = dirty(IbUverbsQueryQpResp.STRUCT);
        IbUverbsQueryQpResp.STRUCT.zeroed(memory);
        QueuePairAttributes attributes = IbUverbsQueryQpResp.read(memory);
        assertThat(attributes.state()).isEqualTo(QueuePairState.RESET);
        assertThat(attributes.addressVector()).isNull();
        assertThat(attributes.alternatePath()).isNull();
        assertThat(attributes.pathMtu()).isNull();
        assertThat(attributes.has(QueuePairAttribute.ADDRESS_VECTOR)).isFalse();
        assertThat(attributes.has(QueuePairAttribute.CAPABILITIES)).isTrue();
    }

    @Test
    void eventRecordsCarryWhatTheObjectWasCreatedWith() {
        MemorySegment async = dirty(IbUverbsAsyncEventDesc.STRUCT);
        IbUverbsAsyncEventDesc.STRUCT.zeroed(async).set("element", -2).set("event_type", 5);
        assertThat(IbUverbsAsyncEventDesc.element(async)).isEqualTo(-2);
        assertThat(IbUverbsAsyncEventDesc.eventType(async)).isEqualTo(AsyncEventType.SEND_QUEUE_DRAINED);
    }
}
