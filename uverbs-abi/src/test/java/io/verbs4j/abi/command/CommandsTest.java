// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.KernelCall;
import io.verbs4j.abi.KernelSide;
import io.verbs4j.abi.completion.CreateCompletionChannel;
import io.verbs4j.abi.completion.CreateCompletionQueue;
import io.verbs4j.abi.completion.DestroyCompletionQueue;
import io.verbs4j.abi.completion.RequestNotification;
import io.verbs4j.abi.completion.ResizeCompletionQueue;
import io.verbs4j.abi.context.GetContext;
import io.verbs4j.abi.context.QueryDevice;
import io.verbs4j.abi.context.QueryGidEntry;
import io.verbs4j.abi.context.QueryGidTable;
import io.verbs4j.abi.context.QueryPort;
import io.verbs4j.abi.datagram.AttachMulticast;
import io.verbs4j.abi.datagram.CreateAddressHandle;
import io.verbs4j.abi.datagram.DestroyAddressHandle;
import io.verbs4j.abi.datagram.DetachMulticast;
import io.verbs4j.abi.memory.AdviseMemory;
import io.verbs4j.abi.memory.AllocateMemoryWindow;
import io.verbs4j.abi.memory.AllocateProtectionDomain;
import io.verbs4j.abi.memory.DeallocateMemoryWindow;
import io.verbs4j.abi.memory.DeallocateProtectionDomain;
import io.verbs4j.abi.memory.DeregisterMemory;
import io.verbs4j.abi.memory.QueryMemory;
import io.verbs4j.abi.memory.RegisterMemory;
import io.verbs4j.abi.memory.ReregisterMemory;
import io.verbs4j.abi.queuepair.CreateQueuePair;
import io.verbs4j.abi.queuepair.DestroyQueuePair;
import io.verbs4j.abi.queuepair.ModifyQueuePair;
import io.verbs4j.abi.queuepair.QueryQueuePair;
import io.verbs4j.abi.sharedreceive.CreateSharedReceiveQueue;
import io.verbs4j.abi.sharedreceive.DestroySharedReceiveQueue;
import io.verbs4j.abi.sharedreceive.ModifySharedReceiveQueue;
import io.verbs4j.abi.sharedreceive.QuerySharedReceiveQueue;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.GidBytes;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.IbUverbsGidEntry;
import io.verbs4j.abi.uapi.IbUverbsQpCap;
import io.verbs4j.abi.uapi.IbUverbsQpDest;
import io.verbs4j.abi.uapi.IbUverbsQueryPortRespEx;
import io.verbs4j.abi.uapi.UverbsAttribute;
import io.verbs4j.types.Access;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.Gid;
import io.verbs4j.types.GidEntry;
import io.verbs4j.types.GidType;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairCapabilities;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.ScatterGatherList;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Tests the request that each command sends, and its conversion of the response, by each transport.
class CommandsTest {
    private static final Gid GID = Gid.parse("0000:0000:0000:0000:0000:ffff:0a09:0001");
    private static final AddressVector PATH = AddressVector.roce(1, 3, GID);
    private static final QueuePairCapabilities CAPABILITIES = new QueuePairCapabilities(10, 11, 2, 3, 64);

    private final Arena arena = Arena.ofConfined();
    private final KernelSide kernel = new KernelSide();

    /// The driver's request, which must arrive unchanged, and a buffer for the response below.
    private final DriverData driver =
            new DriverData(arena.allocateFrom(ValueLayout.JAVA_LONG, 0x0102030405060708L), arena.allocate(16, 8));

    @AfterEach
    void freeMemory() {
        arena.close();
    }

    private void answer(Consumer<KernelCall> how) {
        kernel.answer(command -> {
            how.accept(command);
            if (command.driverOut.byteSize() > 0) {
                command.driverOut.fill((byte) 0x5a);
            }
            return 0;
        });
    }

    private void assertDriverDataPassed() {
        assertThat(kernel.last().driverIn.toArray(ValueLayout.JAVA_BYTE))
                .isEqualTo(driver.in().toArray(ValueLayout.JAVA_BYTE));
        assertThat(driver.out().toArray(ValueLayout.JAVA_BYTE)).containsOnly(0x5a);
    }

    private void assertByWrite(Transport transport, IbUserVerbsCmd command) {
        assertThat(kernel.last().command).isEqualTo(command);
        assertThat(kernel.last().transport)
                .isEqualTo(transport == Transport.WRITE ? transport : Transport.INVOKE_WRITE);
    }

    @ParameterizedTest
    @EnumSource
    void getContextReturnsVectorsAndAsyncEvents(Transport transport) {
        answer(command -> {
            if (command.method == GetContext.METHOD) {
                command.out(GetContext.GET_CONTEXT_NUM_COMP_VECTORS, 4);
                command.out(GetContext.GET_CONTEXT_CORE_SUPPORT, 3);
            } else if (command.method == GetContext.ASYNC_EVENT_ALLOC) {
                command.created(GetContext.ASYNC_EVENT_ALLOC_FD_HANDLE, 17);
            } else {
                command.response("ib_uverbs_get_context_resp").set("async_fd", 17).set("num_comp_vectors", 4);
            }
        });
        GetContext.Response context = GetContext.execute(kernel.channel(transport), driver);
        boolean natively = transport == Transport.NATIVE_IOCTL;
        assertThat(context).isEqualTo(new GetContext.Response(4, natively ? 3 : 0, kernel.eventFiles.get(17)));
        assertThat(kernel.commands)
                .extracting(KernelCall::name)
                .containsExactly(
                        natively
                                ? new String[]{"UVERBS_METHOD_GET_CONTEXT", "UVERBS_METHOD_ASYNC_EVENT_ALLOC"}
                                : new String[]{"IB_USER_VERBS_CMD_GET_CONTEXT"});
        assertThat(kernel.commands.getFirst().driverIn.byteSize()).isEqualTo(8);
        assertThat(driver.out().toArray(ValueLayout.JAVA_BYTE)).containsOnly(0x5a);
        assertThat(kernel.eventFiles).containsOnlyKeys(17);
    }

    @ParameterizedTest
    @EnumSource
    void queryDeviceAsksTheExtendedWay(Transport transport) {
        answer(command -> command.response("ib_uverbs_ex_query_device_resp")
                .set("base.max_qp", 99)
                .set("response_length", 304)
                .set("device_cap_flags_ex", 1L << 40));
        assertThat(QueryDevice.execute(kernel.channel(transport)).maxQueuePairs()).isEqualTo(99);
        assertByWrite(transport, QueryDevice.EXTENDED_WRITE);
        assertThat(kernel.last().request("ib_uverbs_ex_query_device").get("comp_mask")).isZero();
        assertThat(kernel.last().driverIn.byteSize()).isZero();
        QueryDevice.execute(kernel.channel(transport), driver);
        assertDriverDataPassed();
    }

    @ParameterizedTest
    @EnumSource
    void queryPortAsksForThePort(Transport transport) {
        answer(command -> {
            if (command.method == QueryPort.METHOD) {
                IbUverbsQueryPortRespEx.STRUCT
                        .view(command.memory(QueryPort.QUERY_PORT_RESP))
                        .set("legacy_resp.state", 4)
                        .set("port_cap_flags2", 8);
                assertThat(command.in(QueryPort.QUERY_PORT_PORT_NUM)).isEqualTo(2);
                assertThat(command.attribute(QueryPort.QUERY_PORT_PORT_NUM).get("len")).isEqualTo(8);
            } else {
                assertThat(command.request("ib_uverbs_query_port").get("port_num")).isEqualTo(2);
                command.response("ib_uverbs_query_port_resp").set("state", 4);
            }
        });
        var attributes = QueryPort.execute(kernel.channel(transport), 2);
        assertThat(attributes.port()).isEqualTo(2);
        assertThat(attributes.state().value()).isEqualTo(4);
        assertThat(attributes.capabilityFlags2()).isEqualTo(transport == Transport.NATIVE_IOCTL ? 8 : 0);
    }

    @Test
    void queryGidTableReadsAsManyEntriesAsTheKernelWrote() {
        answer(command -> {
            assertThat(command.in(QueryGidTable.QUERY_GID_TABLE_ENTRY_SIZE)).isEqualTo(32);
            MemorySegment entries = command.memory(QueryGidTable.QUERY_GID_TABLE_RESP_ENTRIES);
            assertThat(entries.byteSize()).isEqualTo(8 * 32);
            for (int i = 0; i < 2; i++) {
                CView entry = IbUverbsGidEntry.STRUCT.view(entries.asSlice(32L * i, 32));
                entry.set("gid_index", 5 + i).set("port_num", 1).set("gid_type", 2).set("netdev_ifindex", 3);
                GidBytes.write(entry.slice("gid"), GID);
            }
            command.out(QueryGidTable.QUERY_GID_TABLE_RESP_NUM_ENTRIES, 2);
        });
        assertThat(QueryGidTable.execute(kernel.channel(Transport.NATIVE_IOCTL), 8))
                .containsExactly(
                        new GidEntry(GID, 5, 1, GidType.ROCE_V2, 3), new GidEntry(GID, 6, 1, GidType.ROCE_V2, 3));
    }

    @Test
    void queryGidTableAsksForNoMoreThanAnArgumentCanHold() {
        answer(command -> {
            assertThat(command.memory(QueryGidTable.QUERY_GID_TABLE_RESP_ENTRIES).byteSize()).isEqualTo(2047 * 32);
            command.out(QueryGidTable.QUERY_GID_TABLE_RESP_NUM_ENTRIES, 0);
        });
        assertThat(QueryGidTable.execute(kernel.channel(Transport.NATIVE_IOCTL), 1_000_000)).isEmpty();
    }

    @Test
    void queryGidEntryNamesPortAndIndex() {
        answer(command -> {
            assertThat(command.in(QueryGidEntry.QUERY_GID_ENTRY_PORT)).isEqualTo(1);
            assertThat(command.in(QueryGidEntry.QUERY_GID_ENTRY_GID_INDEX)).isEqualTo(9);
            assertThat(command.attribute(QueryGidEntry.QUERY_GID_ENTRY_FLAGS).get("len")).isEqualTo(4);
            CView entry = IbUverbsGidEntry.STRUCT.view(command.memory(QueryGidEntry.QUERY_GID_ENTRY_RESP_ENTRY));
            GidBytes.write(entry.set("gid_index", 9).set("port_num", 1).slice("gid"), GID);
        });
        assertThat(QueryGidEntry.execute(kernel.channel(Transport.NATIVE_IOCTL), 1, 9))
                .isEqualTo(new GidEntry(GID, 9, 1, GidType.IB, 0));
    }

    @ParameterizedTest
    @EnumSource
    void allocateProtectionDomainGivesTheHandle(Transport transport) {
        answer(command -> command.response("ib_uverbs_alloc_pd_resp").set("pd_handle", 0));
        assertThat(AllocateProtectionDomain.execute(kernel.channel(transport), driver)).isZero();
        assertByWrite(transport, AllocateProtectionDomain.WRITE);
        assertDriverDataPassed();
    }

    private void assertDestroys(
            ObjIntConsumer<CommandChannel> command,
            Transport transport,
            UverbsAttribute attribute,
            IbUserVerbsCmd write,
            String struct,
            String field) {
        command.accept(kernel.channel(transport), 41);
        if (transport == Transport.NATIVE_IOCTL) {
            assertThat(kernel.last().method).isEqualTo(attribute.method().orElseThrow());
            assertThat(kernel.last().in(attribute)).isEqualTo(41);
            assertThat(kernel.last().attribute(attribute).get("len")).isZero();
        } else {
            assertByWrite(transport, write);
            assertThat(kernel.last().request(struct).get(field)).isEqualTo(41);
        }
    }

    @ParameterizedTest
    @EnumSource
    void simpleObjectsAreDestroyedByTheirHandle(Transport transport) {
        assertDestroys(
                DeallocateProtectionDomain::execute,
                transport,
                DeallocateProtectionDomain.DESTROY_PD_HANDLE,
                DeallocateProtectionDomain.WRITE,
                "ib_uverbs_dealloc_pd",
                "pd_handle");
        assertDestroys(
                DeregisterMemory::execute,
                transport,
                DeregisterMemory.DESTROY_MR_HANDLE,
                DeregisterMemory.WRITE,
                "ib_uverbs_dereg_mr",
                "mr_handle");
        assertDestroys(
                DeallocateMemoryWindow::execute,
                transport,
                DeallocateMemoryWindow.DESTROY_MW_HANDLE,
                DeallocateMemoryWindow.WRITE,
                "ib_uverbs_dealloc_mw",
                "mw_handle");
        assertDestroys(
                DestroyAddressHandle::execute,
                transport,
                DestroyAddressHandle.DESTROY_AH_HANDLE,
                DestroyAddressHandle.WRITE,
                "ib_uverbs_destroy_ah",
                "ah_handle");
    }

    @ParameterizedTest
    @EnumSource
    void registerMemorySendsRangeDomainAndRights(Transport transport) {
        answer(command -> {
            CView request = command.request("ib_uverbs_reg_mr");
            assertThat(request.get("start")).isEqualTo(0x7f00_0000_1000L);
            assertThat(request.get("length")).isEqualTo(1L << 40);
            assertThat(request.get("hca_va")).isEqualTo(0xffff_ffff_ffff_f000L);
            assertThat(request.getInt("pd_handle")).isEqualTo(6);
            assertThat(request.getInt("access_flags")).isEqualTo(0x10_001f);
            command.response("ib_uverbs_reg_mr_resp").set("mr_handle", 7).set("lkey", 0x80000008L).set("rkey", 9);
        });
        assertThat(RegisterMemory.execute(
                kernel.channel(transport),
                6,
                0x7f00_0000_1000L,
                1L << 40,
                0xffff_ffff_ffff_f000L,
                0x10_001f,
                driver)).isEqualTo(new RegisterMemory.Response(7, 0x80000008, 9));
        assertByWrite(transport, RegisterMemory.WRITE);
        assertDriverDataPassed();
    }

    @ParameterizedTest
    @EnumSource
    void reregisterMemorySendsWhatChanges(Transport transport) {
        answer(command -> {
            CView request = command.request("ib_uverbs_rereg_mr");
            assertThat(request.getInt("mr_handle")).isEqualTo(1);
            assertThat(request.getInt("flags")).isEqualTo(7);
            assertThat(request.get("start")).isEqualTo(2);
            assertThat(request.get("length")).isEqualTo(3);
            assertThat(request.get("hca_va")).isEqualTo(4);
            assertThat(request.getInt("pd_handle")).isEqualTo(5);
            assertThat(request.getInt("access_flags")).isEqualTo(6);
            command.response("ib_uverbs_rereg_mr_resp").set("lkey", 10).set("rkey", 11);
        });
        int all = ReregisterMemory.TRANSLATION | ReregisterMemory.PROTECTION_DOMAIN | ReregisterMemory.ACCESS;
        assertThat(ReregisterMemory.execute(
                kernel.channel(transport), 1, new ReregisterMemory.Request(all, 2, 3, 4, 5, 6), driver))
                .isEqualTo(new ReregisterMemory.Response(10, 11));
        assertByWrite(transport, ReregisterMemory.WRITE);
        assertDriverDataPassed();
    }

    @Test
    void adviseMemorySendsAListOfRanges() {
        answer(command -> {
            assertThat(command.in(AdviseMemory.ADVISE_MR_PD_HANDLE)).isEqualTo(3);
            assertThat(command.in(AdviseMemory.ADVISE_MR_ADVICE)).isEqualTo(1);
            assertThat(command.in(AdviseMemory.ADVISE_MR_FLAGS)).isEqualTo(1);
            MemorySegment list = command.memory(AdviseMemory.ADVISE_MR_SGE_LIST);
            assertThat(list.byteSize()).isEqualTo(32);
            CView second = AdviseMemory.BUFFER.view(list.asSlice(16));
            assertThat(second.get("addr")).isEqualTo(0x2000);
            assertThat(second.get("length")).isEqualTo(20);
            assertThat(second.get("lkey")).isEqualTo(200);
        });
        var ranges = new ScatterGatherList().add(0x1000, 10, 100).add(0x2000, 20, 200);
        AdviseMemory.execute(
                kernel.channel(Transport.NATIVE_IOCTL), 3, AdviseMemory.PREFETCH_WRITE, AdviseMemory.FLUSH, ranges);
        assertThat(kernel.commands).hasSize(1);
    }

    @Test
    void queryMemoryGivesKeysAndRange() {
        answer(command -> {
            assertThat(command.in(QueryMemory.QUERY_MR_HANDLE)).isEqualTo(5);
            command.out(QueryMemory.QUERY_MR_RESP_LKEY, 1);
            command.out(QueryMemory.QUERY_MR_RESP_RKEY, 2);
            command.out(QueryMemory.QUERY_MR_RESP_LENGTH, 1L << 33);
            command.out(QueryMemory.QUERY_MR_RESP_IOVA, 0x7f0000000000L);
        });
        assertThat(QueryMemory.execute(kernel.channel(Transport.NATIVE_IOCTL), 5))
                .isEqualTo(new QueryMemory.Response(1, 2, 1L << 33, 0x7f0000000000L));
    }

    @ParameterizedTest
    @EnumSource
    void allocateMemoryWindowSendsDomainAndType(Transport transport) {
        answer(command -> {
            assertThat(command.request("ib_uverbs_alloc_mw").getInt("pd_handle")).isEqualTo(3);
            assertThat(command.request("ib_uverbs_alloc_mw").getInt("mw_type")).isEqualTo(2);
            command.response("ib_uverbs_alloc_mw_resp").set("mw_handle", 4).set("rkey", 5);
        });
        assertThat(AllocateMemoryWindow.execute(kernel.channel(transport), 3, 2, driver))
                .isEqualTo(new AllocateMemoryWindow.Response(4, 5));
        assertByWrite(transport, AllocateMemoryWindow.WRITE);
        assertDriverDataPassed();
    }

    @ParameterizedTest
    @EnumSource
    void createAddressHandleSendsThePath(Transport transport) {
        answer(command -> {
            CView request = command.request("ib_uverbs_create_ah");
            assertThat(request.get("user_handle")).isEqualTo(-7);
            assertThat(request.getInt("pd_handle")).isEqualTo(8);
            assertThat(request.getInt("attr.is_global")).isEqualTo(1);
            assertThat(request.getInt("attr.grh.sgid_index")).isEqualTo(3);
            assertThat(GidBytes.read(request.slice("attr.grh.dgid"))).isEqualTo(GID);
            command.response("ib_uverbs_create_ah_resp").set("ah_handle", 9);
        });
        assertThat(CreateAddressHandle.execute(kernel.channel(transport), 8, -7, PATH, driver)).isEqualTo(9);
        assertByWrite(transport, CreateAddressHandle.WRITE);
        assertDriverDataPassed();
    }

    @ParameterizedTest
    @EnumSource
    void createCompletionChannelTakesTheFileOver(Transport transport) {
        answer(command -> command.response("ib_uverbs_create_comp_channel_resp").set("fd", 23));
        assertThat(CreateCompletionChannel.execute(kernel.channel(transport)).fileDescriptor()).isEqualTo(23);
        assertByWrite(transport, CreateCompletionChannel.WRITE);
        assertThat(kernel.eventFiles).containsOnlyKeys(23);
    }

    @ParameterizedTest
    @EnumSource
    void createCompletionQueueSendsSizeAndChannel(Transport transport) {
        answer(command -> {
            if (transport == Transport.NATIVE_IOCTL) {
                assertThat(command.in(CreateCompletionQueue.CREATE_CQ_CQE)).isEqualTo(100);
                assertThat(command.attribute(CreateCompletionQueue.CREATE_CQ_CQE).get("len")).isEqualTo(4);
                assertThat(command.in(CreateCompletionQueue.CREATE_CQ_USER_HANDLE)).isEqualTo(-5);
                assertThat(command.attribute(CreateCompletionQueue.CREATE_CQ_USER_HANDLE).get("len")).isEqualTo(8);
                assertThat(command.in(CreateCompletionQueue.CREATE_CQ_COMP_CHANNEL)).isEqualTo(31);
                assertThat(command.attribute(CreateCompletionQueue.CREATE_CQ_COMP_CHANNEL).get("len")).isZero();
                assertThat(command.in(CreateCompletionQueue.CREATE_CQ_COMP_VECTOR)).isEqualTo(2);
                assertThat(command.has(CreateCompletionQueue.CREATE_CQ_FLAGS)).isFalse();
                command.created(CreateCompletionQueue.CREATE_CQ_HANDLE, 6);
                command.out(CreateCompletionQueue.CREATE_CQ_RESP_CQE, 127);
            } else {
                CView request = command.request("ib_uverbs_create_cq");
                assertThat(request.get("user_handle")).isEqualTo(-5);
                assertThat(request.getInt("cqe")).isEqualTo(100);
                assertThat(request.getInt("comp_vector")).isEqualTo(2);
                assertThat(request.getInt("comp_channel")).isEqualTo(31);
                command.response("ib_uverbs_create_cq_resp").set("cq_handle", 6).set("cqe", 127);
            }
        });
        var request = new CreateCompletionQueue.Request(100, -5, kernel.eventFile(31), 2, 0);
        assertThat(CreateCompletionQueue.execute(kernel.channel(transport), request, driver))
                .isEqualTo(new CreateCompletionQueue.Response(6, 127));
        assertDriverDataPassed();
    }

    @ParameterizedTest
    @EnumSource
    void createCompletionQueueWithFlagsAndWithoutChannel(Transport transport) {
        answer(command -> {
            if (transport == Transport.NATIVE_IOCTL) {
                assertThat(command.has(CreateCompletionQueue.CREATE_CQ_COMP_CHANNEL)).isFalse();
                assertThat(command.in(CreateCompletionQueue.CREATE_CQ_FLAGS)).isEqualTo(3);
                command.created(CreateCompletionQueue.CREATE_CQ_HANDLE, 6);
                command.out(CreateCompletionQueue.CREATE_CQ_RESP_CQE, 127);
            } else {
                CView request = command.request("ib_uverbs_ex_create_cq");
                assertThat(request.get("user_handle")).isEqualTo(1);
                assertThat(request.getInt("cqe")).isEqualTo(100);
                assertThat(request.getInt("comp_vector")).isZero();
                assertThat(request.getInt("comp_channel")).isEqualTo(-1);
                assertThat(request.getInt("flags")).isEqualTo(3);
                command.response("ib_uverbs_ex_create_cq_resp").set("base.cq_handle", 6).set("base.cqe", 127);
            }
        });
        var request = new CreateCompletionQueue.Request(100, 1, null, 0, 3);
        assertThat(CreateCompletionQueue.execute(kernel.channel(transport), request, driver))
                .isEqualTo(new CreateCompletionQueue.Response(6, 127));
        assertDriverDataPassed();
    }

    @ParameterizedTest
    @EnumSource
    void resizeCompletionQueueGivesTheNewSize(Transport transport) {
        answer(command -> {
            assertThat(command.request("ib_uverbs_resize_cq").getInt("cq_handle")).isEqualTo(6);
            assertThat(command.request("ib_uverbs_resize_cq").getInt("cqe")).isEqualTo(300);
            command.response("ib_uverbs_resize_cq_resp").set("cqe", 511);
        });
        assertThat(ResizeCompletionQueue.execute(kernel.channel(transport), 6, 300, driver)).isEqualTo(511);
        assertByWrite(transport, ResizeCompletionQueue.WRITE);
        assertDriverDataPassed();
    }

    @ParameterizedTest
    @EnumSource
    void requestNotificationSaysWhetherSolicitedOnly(Transport transport) {
        var notification = new RequestNotification(kernel.channel(transport), 6);
        notification.execute(true);
        assertThat(kernel.last().request("ib_uverbs_req_notify_cq").getInt("cq_handle")).isEqualTo(6);
        assertThat(kernel.last().request("ib_uverbs_req_notify_cq").getInt("solicited_only")).isEqualTo(1);
        notification.execute(false);
        assertThat(kernel.last().request("ib_uverbs_req_notify_cq").getInt("solicited_only")).isZero();
        assertByWrite(Transport.WRITE, RequestNotification.WRITE);
    }

    @ParameterizedTest
    @EnumSource
    void destroyCompletionQueueReturnsItsEvents(Transport transport) {
        answer(command -> {
            CView response = transport == Transport.NATIVE_IOCTL
                    ? DestroyCompletionQueue.RESPONSE.view(command.memory(DestroyCompletionQueue.DESTROY_CQ_RESP))
                    : command.response("ib_uverbs_destroy_cq_resp");
            response.set("comp_events_reported", 3).set("async_events_reported", 4);
        });
        var channel = kernel.channel(transport);
        assertThat(DestroyCompletionQueue.execute(channel, 6)).isEqualTo(new DestroyCompletionQueue.Response(3, 4));
        assertDestroys(
                DestroyCompletionQueue::execute,
                transport,
                DestroyCompletionQueue.DESTROY_CQ_HANDLE,
                DestroyCompletionQueue.WRITE,
                "ib_uverbs_destroy_cq",
                "cq_handle");
    }

    @ParameterizedTest
    @EnumSource
    void createSharedReceiveQueueSendsSizes(Transport transport) {
        answer(command -> {
            if (transport == Transport.NATIVE_IOCTL) {
                assertThat(command.in(CreateSharedReceiveQueue.CREATE_SRQ_PD_HANDLE)).isEqualTo(1);
                assertThat(command.in(CreateSharedReceiveQueue.CREATE_SRQ_USER_HANDLE)).isEqualTo(2);
                assertThat(command.in(CreateSharedReceiveQueue.CREATE_SRQ_MAX_WR)).isEqualTo(3);
                assertThat(command.in(CreateSharedReceiveQueue.CREATE_SRQ_MAX_SGE)).isEqualTo(4);
                assertThat(command.in(CreateSharedReceiveQueue.CREATE_SRQ_LIMIT)).isEqualTo(5);
                assertThat(command.in(CreateSharedReceiveQueue.CREATE_SRQ_TYPE)).isZero();
                command.created(CreateSharedReceiveQueue.CREATE_SRQ_HANDLE, 6);
                command.out(CreateSharedReceiveQueue.CREATE_SRQ_RESP_MAX_WR, 7);
                command.out(CreateSharedReceiveQueue.CREATE_SRQ_RESP_MAX_SGE, 8);
            } else {
                CView request = command.request("ib_uverbs_create_srq");
                assertThat(request.getInt("pd_handle")).isEqualTo(1);
                assertThat(request.get("user_handle")).isEqualTo(2);
                assertThat(request.getInt("max_wr")).isEqualTo(3);
                assertThat(request.getInt("max_sge")).isEqualTo(4);
                assertThat(request.getInt("srq_limit")).isEqualTo(5);
                command.response("ib_uverbs_create_srq_resp").set("srq_handle", 6).set("max_wr", 7).set("max_sge", 8);
            }
        });
        var request = new CreateSharedReceiveQueue.Request(1, 2, 3, 4, 5);
        assertThat(CreateSharedReceiveQueue.execute(kernel.channel(transport), request, driver))
                .isEqualTo(new CreateSharedReceiveQueue.Response(6, 7, 8));
        assertDriverDataPassed();
    }

    @ParameterizedTest
    @EnumSource
    void modifySharedReceiveQueueHasNoAnswer(Transport transport) {
        var request = DriverData.in(driver.in());
        ModifySharedReceiveQueue.execute(
                kernel.channel(transport), 6, ModifySharedReceiveQueue.LIMIT, 30, 5, request);
        CView sent = kernel.last().request("ib_uverbs_modify_srq");
        assertThat(sent.getInt("srq_handle")).isEqualTo(6);
        assertThat(sent.getInt("attr_mask")).isEqualTo(2);
        assertThat(sent.getInt("max_wr")).isEqualTo(30);
        assertThat(sent.getInt("srq_limit")).isEqualTo(5);
        assertThat(kernel.last().driverIn.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(0x0102030405060708L);
        assertByWrite(transport, ModifySharedReceiveQueue.WRITE);
    }

    @ParameterizedTest
    @EnumSource
    void querySharedReceiveQueueGivesItsAttributes(Transport transport) {
        answer(command -> {
            assertThat(command.request("ib_uverbs_query_srq").getInt("srq_handle")).isEqualTo(6);
            command.response("ib_uverbs_query_srq_resp").set("max_wr", 1).set("max_sge", 2).set("srq_limit", 3);
        });
        assertThat(QuerySharedReceiveQueue.execute(kernel.channel(transport), 6))
                .isEqualTo(new QuerySharedReceiveQueue.Response(1, 2, 3));
        assertByWrite(transport, QuerySharedReceiveQueue.WRITE);
    }

    @ParameterizedTest
    @EnumSource
    void destroySharedReceiveQueueAndQueuePairReturnTheirEvents(Transport transport) {
        answer(command -> {
            if (transport != Transport.NATIVE_IOCTL) {
                command.response.set(ValueLayout.JAVA_INT, 0, 12);
            } else if (command.method == DestroyQueuePair.METHOD) {
                command.out(DestroyQueuePair.DESTROY_QP_RESP, 12);
            } else {
                command.out(DestroySharedReceiveQueue.DESTROY_SRQ_RESP, 12);
            }
        });
        assertThat(DestroySharedReceiveQueue.execute(kernel.channel(transport), 1)).isEqualTo(12);
        assertThat(DestroyQueuePair.execute(kernel.channel(transport), 1)).isEqualTo(12);
        assertDestroys(
                DestroySharedReceiveQueue::execute,
                transport,
                DestroySharedReceiveQueue.DESTROY_SRQ_HANDLE,
                DestroySharedReceiveQueue.WRITE,
                "ib_uverbs_destroy_srq",
                "srq_handle");
        assertDestroys(
                DestroyQueuePair::execute,
                transport,
                DestroyQueuePair.DESTROY_QP_HANDLE,
                DestroyQueuePair.WRITE,
                "ib_uverbs_destroy_qp",
                "qp_handle");
    }

    private void answerQueuePair(Transport transport, QueuePairCapabilities given) {
        answer(command -> {
            if (transport == Transport.NATIVE_IOCTL) {
                command.created(CreateQueuePair.CREATE_QP_HANDLE, 6);
                command.out(CreateQueuePair.CREATE_QP_RESP_QP_NUM, 17);
                MemorySegment room = command.memory(CreateQueuePair.CREATE_QP_RESP_CAP);
                IbUverbsQpCap.write(IbUverbsQpCap.STRUCT.view(room), given);
            } else {
                CView response = command.response("ib_uverbs_create_qp_resp").set("qp_handle", 6).set("qpn", 17);
                IbUverbsQpCap.write(response, given);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void createQueuePairSendsQueuesAndCapabilities(Transport transport) {
        var given = new QueuePairCapabilities(15, 16, 6, 7, 100);
        answerQueuePair(transport, given);
        var request = new CreateQueuePair.Request(1, 2, 3, null, 4, QueuePairType.RC, CAPABILITIES, false);
        assertThat(CreateQueuePair.execute(kernel.channel(transport), request, driver))
                .isEqualTo(new CreateQueuePair.Response(6, 17, given));
        assertDriverDataPassed();
        KernelCall sent = kernel.last();
        if (transport == Transport.NATIVE_IOCTL) {
            assertThat(sent.in(CreateQueuePair.CREATE_QP_PD_HANDLE)).isEqualTo(1);
            assertThat(sent.in(CreateQueuePair.CREATE_QP_SEND_CQ_HANDLE)).isEqualTo(2);
            assertThat(sent.in(CreateQueuePair.CREATE_QP_RECV_CQ_HANDLE)).isEqualTo(3);
            assertThat(sent.in(CreateQueuePair.CREATE_QP_USER_HANDLE)).isEqualTo(4);
            assertThat(sent.in(CreateQueuePair.CREATE_QP_TYPE)).isEqualTo(2);
            assertThat(sent.has(CreateQueuePair.CREATE_QP_SRQ_HANDLE)).isFalse();
            assertThat(sent.has(CreateQueuePair.CREATE_QP_FLAGS)).isFalse();
        } else {
            CView fields = sent.request("ib_uverbs_create_qp");
            assertThat(fields.getInt("pd_handle")).isEqualTo(1);
            assertThat(fields.getInt("send_cq_handle")).isEqualTo(2);
            assertThat(fields.getInt("recv_cq_handle")).isEqualTo(3);
            assertThat(fields.get("user_handle")).isEqualTo(4);
            assertThat(fields.getInt("qp_type")).isEqualTo(2);
            assertThat(fields.getInt("is_srq")).isZero();
            assertThat(fields.getInt("sq_sig_all")).isZero();
            assertThat(IbUverbsQpCap.read(fields)).isEqualTo(CAPABILITIES);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSharedReceiveQueueOfHandle0IsOne(Transport transport) {
        answerQueuePair(transport, CAPABILITIES);
        var request = new CreateQueuePair.Request(1, 2, 3, 0, 4, QueuePairType.UD, CAPABILITIES, true);
        CreateQueuePair.execute(kernel.channel(transport), request, driver);
        if (transport == Transport.NATIVE_IOCTL) {
            assertThat(kernel.last().in(CreateQueuePair.CREATE_QP_SRQ_HANDLE)).isZero();
            assertThat(kernel.last().in(CreateQueuePair.CREATE_QP_FLAGS)).isEqualTo(0x1000);
            assertThat(kernel.last().attribute(CreateQueuePair.CREATE_QP_FLAGS).get("len")).isEqualTo(4);
        } else {
            CView fields = kernel.last().request("ib_uverbs_create_qp");
            assertThat(fields.getInt("is_srq")).isEqualTo(1);
            assertThat(fields.getInt("srq_handle")).isZero();
            assertThat(fields.getInt("sq_sig_all")).isEqualTo(1);
            assertThat(fields.getInt("qp_type")).isEqualTo(4);
        }
    }

    @ParameterizedTest
    @EnumSource
    void modifyQueuePairSendsThePlainCommand(Transport transport) {
        var attributes = QueuePairAttributes.builder()
                .state(QueuePairState.RTR)
                .addressVector(PATH)
                .pathMtu(Mtu.MTU_1024)
                .access(Access.REMOTE_READ)
                .build();
        ModifyQueuePair.execute(kernel.channel(transport), 6, attributes);
        CView sent = kernel.last().request("ib_uverbs_modify_qp");
        assertThat(sent.getInt("qp_handle")).isEqualTo(6);
        assertThat(sent.getInt("attr_mask")).isEqualTo(attributes.mask());
        assertThat(IbUverbsQpDest.read(sent.slice("dest"))).isEqualTo(PATH);
        assertByWrite(transport, ModifyQueuePair.WRITE);
    }

    @ParameterizedTest
    @EnumSource
    void modifyQueuePairWithDriverDataSendsTheExtendedCommand(Transport transport) {
        answer(command -> {});
        var attributes = QueuePairAttributes.builder().state(QueuePairState.ERR).build();
        ModifyQueuePair.execute(kernel.channel(transport), 6, attributes, driver);
        CView sent = kernel.last().request("ib_uverbs_ex_modify_qp");
        assertThat(sent.getInt("base.qp_handle")).isEqualTo(6);
        assertThat(sent.getInt("base.qp_state")).isEqualTo(6);
        assertThat(sent.getInt("rate_limit")).isZero();
        assertByWrite(transport, ModifyQueuePair.EXTENDED_WRITE);
        assertDriverDataPassed();
    }

    @ParameterizedTest
    @EnumSource
    void queryQueuePairSendsTheMask(Transport transport) {
        answer(command -> {
            assertThat(command.request("ib_uverbs_query_qp").getInt("qp_handle")).isEqualTo(6);
            assertThat(command.request("ib_uverbs_query_qp").getInt("attr_mask")).isEqualTo(0x1234);
            command.response("ib_uverbs_query_qp_resp").set("qp_state", 3);
        });
        assertThat(QueryQueuePair.execute(kernel.channel(transport), 6, 0x1234).state()).isEqualTo(QueuePairState.RTS);
        assertByWrite(transport, QueryQueuePair.WRITE);
    }

    @ParameterizedTest
    @EnumSource
    void multicastMembershipIsNamedByGidAndLid(Transport transport) {
        AttachMulticast.execute(kernel.channel(transport), 6, GID, 0xc001);
        CView attach = kernel.last().request("ib_uverbs_attach_mcast");
        assertThat(GidBytes.read(attach.slice("gid"))).isEqualTo(GID);
        assertThat(attach.getInt("qp_handle")).isEqualTo(6);
        assertThat(attach.getInt("mlid")).isEqualTo(0xc001);
        assertByWrite(transport, AttachMulticast.WRITE);
        DetachMulticast.execute(kernel.channel(transport), 6, GID, 0xc001);
        CView detach = kernel.last().request("ib_uverbs_detach_mcast");
        assertThat(detach.memory().toArray(ValueLayout.JAVA_BYTE))
                .isEqualTo(attach.memory().toArray(ValueLayout.JAVA_BYTE));
        assertByWrite(transport, DetachMulticast.WRITE);
    }
}
