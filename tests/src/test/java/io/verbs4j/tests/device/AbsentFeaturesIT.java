// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.device;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Device;
import io.verbs4j.Devices;
import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.completion.CreateCompletionQueue;
import io.verbs4j.abi.context.GetContext;
import io.verbs4j.abi.context.QueryDevice;
import io.verbs4j.abi.memory.AllocateProtectionDomain;
import io.verbs4j.abi.queuepair.CreateQueuePair;
import io.verbs4j.abi.queuepair.ModifyQueuePair;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.tests.support.CoverageReport;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Feature;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairCapabilities;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Tests features that rxe lacks. A program can query this beforehand. If it tries nevertheless, the refusal names the
/// provider. The kernel, called directly, refuses too.
@DeviceTest
@Needs.EachKernel
class AbsentFeaturesIT {
    private static void refuses(Feature feature, String... functions) {
        try (var context = Rxe.open()) {
            assertThat(context.supports(feature)).isFalse();
            assertThatThrownBy(() -> context.require(feature))
                    .isInstanceOf(NotSupportedException.class)
                    .hasMessageContainingAll("use " + feature + " on rxe0", "EOPNOTSUPP", "the rxe device");
        }
        for (String function : functions) {
            CoverageReport.absent(function, "NotSupportedException: rxe has no " + feature);
        }
    }

    @Test
    @Covers({"ibv_open_xrcd", "ibv_close_xrcd", "ibv_open_qp", "ibv_wr_set_xrc_srqn"})
    void noExtendedReliableConnections() {
        refuses(Feature.EXTENDED_RELIABLE_CONNECTION, "ibv_open_xrcd", "ibv_close_xrcd", "ibv_open_qp",
                "ibv_wr_set_xrc_srqn");
    }

    @Test
    @Covers({"ibv_create_flow", "ibv_destroy_flow", "ibv_create_flow_action_esp", "ibv_modify_flow_action_esp",
            "ibv_destroy_flow_action", "ibv_wc_read_flow_tag"})
    void noFlowSteering() {
        refuses(Feature.FLOW_STEERING, "ibv_create_flow", "ibv_destroy_flow", "ibv_create_flow_action_esp",
                "ibv_modify_flow_action_esp", "ibv_destroy_flow_action", "ibv_wc_read_flow_tag");
    }

    @Test
    @Covers({
            "ibv_create_wq", "ibv_modify_wq", "ibv_destroy_wq", "ibv_post_wq_recv", "ibv_create_rwq_ind_table",
            "ibv_destroy_rwq_ind_table"
    })
    void noWorkQueues() {
        refuses(
                Feature.WORK_QUEUES,
                "ibv_create_wq", "ibv_modify_wq", "ibv_destroy_wq", "ibv_post_wq_recv", "ibv_create_rwq_ind_table",
                "ibv_destroy_rwq_ind_table");
    }

    @Test
    @Covers({
            "ibv_create_counters", "ibv_destroy_counters", "ibv_attach_counters_point_flow", "ibv_read_counters"
    })
    void noCountersOfObjects() {
        refuses(
                Feature.COUNTERS,
                "ibv_create_counters", "ibv_destroy_counters", "ibv_attach_counters_point_flow", "ibv_read_counters");
    }

    @Test
    @Covers({"ibv_alloc_dm", "ibv_free_dm", "ibv_memcpy_to_dm", "ibv_memcpy_from_dm", "ibv_reg_dm_mr",
            "ibv_dm_export_dmabuf_fd"})
    void noDeviceMemory() {
        refuses(Feature.DEVICE_MEMORY, "ibv_alloc_dm", "ibv_free_dm", "ibv_memcpy_to_dm", "ibv_memcpy_from_dm",
                "ibv_reg_dm_mr", "ibv_dm_export_dmabuf_fd");
    }

    @Test
    @Covers({"ibv_alloc_td", "ibv_dealloc_td", "ibv_alloc_parent_domain"})
    void noParentAndThreadDomains() {
        refuses(Feature.PARENT_DOMAIN, "ibv_alloc_td", "ibv_dealloc_td", "ibv_alloc_parent_domain");
    }

    @Test
    @Covers({"ibv_reg_dmabuf_mr", "ibv_alloc_buf", "ibv_free_buf", "ibv_reg_buf_mr", "ibv_export_buf_dmabuf_fd"})
    void noDmaBuffers() {
        refuses(Feature.DMA_BUF, "ibv_reg_dmabuf_mr", "ibv_alloc_buf", "ibv_free_buf", "ibv_reg_buf_mr",
                "ibv_export_buf_dmabuf_fd");
    }

    @Test
    @Covers({"ibv_post_srq_ops", "ibv_wc_read_tm_info"})
    void noTagMatching() {
        refuses(Feature.TAG_MATCHING, "ibv_post_srq_ops", "ibv_wc_read_tm_info");
    }

    @Test
    @Covers({"ibv_wc_read_completion_ts", "ibv_wc_read_completion_wallclock_ns", "ibv_query_rt_values_ex"})
    void noTimestampsAndNoClock() {
        refuses(
                Feature.COMPLETION_TIMESTAMPS,
                "ibv_wc_read_completion_ts", "ibv_wc_read_completion_wallclock_ns");
        refuses(Feature.DEVICE_CLOCK, "ibv_query_rt_values_ex");
    }

    @Test
    @Covers("ibv_wr_send_tso")
    void noRawPackets() {
        refuses(Feature.RAW_PACKET, "ibv_wr_send_tso");
    }

    @Test
    @Covers("ibv_modify_cq")
    void noModerationOfCompletions() {
        refuses(Feature.COMPLETION_MODERATION, "ibv_modify_cq");
    }

    @Test
    @Covers({
            "ibv_import_device", "ibv_import_pd", "ibv_unimport_pd", "ibv_import_mr", "ibv_unimport_mr",
            "ibv_import_dm", "ibv_unimport_dm"
    })
    void noImportedObjects() {
        refuses(
                Feature.IMPORTED_OBJECTS,
                "ibv_import_device", "ibv_import_pd", "ibv_unimport_pd", "ibv_import_mr", "ibv_unimport_mr",
                "ibv_import_dm", "ibv_unimport_dm");
    }

    @Test
    @Covers({
            "ibv_create_comp_cntr", "ibv_destroy_comp_cntr", "ibv_inc_comp_cntr",
            "ibv_inc_err_comp_cntr", "ibv_qp_attach_comp_cntr", "ibv_query_comp_cntr_caps",
            "ibv_read_comp_cntr", "ibv_read_err_comp_cntr", "ibv_set_comp_cntr",
            "ibv_set_err_comp_cntr"
    })
    void noCountersOfCompletions() {
        refuses(
                Feature.COMPLETION_COUNTERS,
                "ibv_create_comp_cntr", "ibv_destroy_comp_cntr", "ibv_inc_comp_cntr",
                "ibv_inc_err_comp_cntr", "ibv_qp_attach_comp_cntr", "ibv_query_comp_cntr_caps",
                "ibv_read_comp_cntr", "ibv_read_err_comp_cntr", "ibv_set_comp_cntr",
                "ibv_set_err_comp_cntr");
    }

    @Test
    @Covers({"ibv_alloc_dmah", "ibv_dealloc_dmah"})
    void noDmaHandles() {
        refuses(Feature.DMA_HANDLES, "ibv_alloc_dmah", "ibv_dealloc_dmah");
    }

    @Test
    @Covers("ibv_query_port_speed")
    void noEffectiveSpeed() {
        refuses(Feature.EFFECTIVE_PORT_SPEED, "ibv_query_port_speed");
    }

    @Test
    @Covers({"ibv_query_ece", "ibv_set_ece"})
    void noEnhancedConnections() {
        refuses(Feature.ENHANCED_CONNECTION, "ibv_query_ece", "ibv_set_ece");
    }

    @Test
    @Covers("ibv_query_qp_data_in_order")
    void noPromiseOfDataInOrder() {
        refuses(Feature.DATA_IN_ORDER, "ibv_query_qp_data_in_order");
    }

    @ParameterizedTest
    @EnumSource(names = {"RAW_PACKET", "XRC_INI", "XRC_TGT"})
    void noQueuePairsOfOtherTypes(QueuePairType type) {
        try (
                var context = Rxe.open();
                var domain = context.allocateProtectionDomain();
                var queue = context.createCompletionQueue(16)) {
            assertThatThrownBy(() -> domain.queuePair(type, queue))
                    .isInstanceOf(NotSupportedException.class)
                    .hasMessageContainingAll(type.feature().orElseThrow().name(), "rxe0", "the rxe device");
        }
    }

    /// Without a driver function, the device does not have the method, so the kernel does not check its arguments.
    @ParameterizedTest(name = "{0}")
    @CsvSource({
            "WQ_CREATE, 12, 0",
            "FLOW_DESTROY, 9, 0",
            "FLOW_ACTION_ESP_CREATE, 13, 0",
            "XRCD_DESTROY, 10, 0",
            "RWQ_IND_TBL_DESTROY, 11, 0",
            "DM_ALLOC, 14, 0",
            "COUNTERS_CREATE, 15, 0",
            "DM_MR_REG, 7, 0"
    })
    void theKernelHasNoMethod(String name, int object, int method) {
        try (var raw = new RawContext()) {
            assertThat(raw.ioctl(object, method)).as(name).isEqualTo(-Errno.EPROTONOSUPPORT);
            var known = CreateCompletionQueue.METHOD;
            assertThat(raw.ioctl(known.object().id(), known.id()))
                    .as("a method that it has misses its arguments")
                    .isEqualTo(-Errno.EINVAL);
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
            "OPEN_XRCD, 37, false", "OPEN_QP, 40, false", "EX_CREATE_FLOW, 50, true",
            "EX_CREATE_WQ, 52, true", "EX_CREATE_RWQ_IND_TBL, 55, true", "EX_MODIFY_CQ, 57, true"
    })
    void theKernelHasNoWriteCommand(String name, int number, boolean extended) {
        try (var raw = new RawContext()) {
            assertThat(raw.invokeWrite(extended ? number | IbUserVerbsCmd.EXTENDED : number))
                    .as(name)
                    .isEqualTo(-Errno.EOPNOTSUPP);
            assertThat(raw.invokeWrite(CreateCompletionQueue.WRITE.command()))
                    .as("a command that it has misses its request")
                    .isEqualTo(-Errno.ENOSPC);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"RAW_PACKET", "XRC_INI"})
    void theKernelMakesNoQueuePairsOfOtherTypes(QueuePairType type) {
        try (var raw = new RawContext()) {
            assertThatThrownBy(() -> raw.createQueuePair(type))
                    .isInstanceOf(NotSupportedException.class)
                    .hasMessageContaining("EOPNOTSUPP");
        }
    }

    @Test
    @Covers("ibv_modify_qp_rate_limit")
    void theKernelLimitsNoRates() {
        refuses(Feature.RATE_LIMIT);
        int rateLimit = 1 << 25; // IB_QP_RATE_LIMIT
        var attributes = QueuePairAttributes.builder().state(QueuePairState.RESET).build();
        var limited = withMask(attributes, attributes.mask() | rateLimit);
        try (var raw = new RawContext()) {
            int queuePair = raw.createQueuePair(QueuePairType.RC);
            assertThatThrownBy(() -> ModifyQueuePair.execute(raw.channel, queuePair, limited, DriverData.NONE))
                    .isInstanceOf(NotSupportedException.class)
                    .hasMessageContaining("EOPNOTSUPP");
        }
        CoverageReport.refused("ibv_modify_qp_rate_limit", Errno.EOPNOTSUPP, "rxe limits no rates");
    }

    private static QueuePairAttributes withMask(QueuePairAttributes a, int mask) {
        return new QueuePairAttributes(
                mask, a.state(), a.currentState(), a.sqdAsyncNotify(), a.accessFlags(), a.pkeyIndex(), a.port(),
                a.qkey(),
                a.addressVector(), a.pathMtu(), a.timeout(), a.retryCount(), a.rnrRetry(), a.receivePsn(), a.sendPsn(),
                a.maxReadAtomic(), a.maxDestinationReadAtomic(), a.minRnrTimer(), a.destinationQueuePairNumber(),
                a.pathMigrationState(), a.alternatePath(), a.capabilities(), a.sendQueueDraining());
    }

    /// A context without provider and API. The kernel frees what it has when it is closed.
    private static final class RawContext implements AutoCloseable {
        private static final int HEADER = 24;
        private static final int ATTRIBUTE = 16;

        /// A driver's answer; rxe states there where the rings are.
        private static final int ANSWER = 64;

        private final Arena arena = Arena.ofConfined();
        private final CommandChannel channel;
        private final GetContext.Response context;

        RawContext() {
            Device device = Devices.find(Rxe.LEFT);
            channel = CommandChannel.open(
                    Rxe.openFile(), null, device.driverId(), device.name(), device.driverAbiVersion(),
                    QueryDevice.SPECIFICATION);
            context = GetContext.execute(channel, DriverData.NONE);
        }

        /// A method without arguments.
        int ioctl(int object, int method) {
            return channel.file().ioctl(command(object, method, 0));
        }

        /// A write command without request.
        int invokeWrite(int command) {
            MemorySegment memory = command(0, 0, 1);
            memory.set(JAVA_SHORT, HEADER, (short) 2); // UVERBS_ATTR_WRITE_CMD
            memory.set(JAVA_SHORT, HEADER + 2, (short) Long.BYTES);
            memory.set(JAVA_SHORT, HEADER + 4, (short) 1); // mandatory
            memory.set(JAVA_LONG, HEADER + 8, Integer.toUnsignedLong(command));
            return channel.file().ioctl(memory);
        }

        private MemorySegment command(int object, int method, int attributes) {
            MemorySegment memory = arena.allocate(HEADER + (long) attributes * ATTRIBUTE, Long.BYTES);
            memory.set(JAVA_SHORT, 0, (short) memory.byteSize());
            memory.set(JAVA_SHORT, 2, (short) object);
            memory.set(JAVA_SHORT, 4, (short) method);
            memory.set(JAVA_SHORT, 6, (short) attributes);
            memory.set(JAVA_INT, 16, channel.driverId());
            return memory;
        }

        int createQueuePair(QueuePairType type) {
            int domain = AllocateProtectionDomain.execute(channel, DriverData.NONE);
            int queue = CreateCompletionQueue.execute(
                    channel, new CreateCompletionQueue.Request(4, 1, null, 0, 0), answer()).handle();
            return CreateQueuePair.execute(
                    channel,
                    new CreateQueuePair.Request(
                            domain, queue, queue, null, 2, type, new QueuePairCapabilities(4, 4, 1, 1, 0), false),
                    answer()).handle();
        }

        private DriverData answer() {
            return DriverData.out(arena.allocate(ANSWER, Long.BYTES));
        }

        @Override
        public void close() {
            context.asyncEvents().close();
            channel.close();
            arena.close();
        }
    }
}
