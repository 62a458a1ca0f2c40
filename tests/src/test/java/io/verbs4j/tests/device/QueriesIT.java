// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Context;
import io.verbs4j.Devices;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.Scenario;
import io.verbs4j.types.DeviceAttributes;
import io.verbs4j.types.HardwareCounters;
import io.verbs4j.types.PhysicalState;
import io.verbs4j.types.Rate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests queries other than limits, GIDs and the port's state: the additions of newer commands, and values that only
/// sysfs and netlink report.
@DeviceTest
@Needs.EachKernel
class QueriesIT {
    private final Context context = Rxe.open();

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    @Covers("ibv_query_device_ex")
    void theExtendedQueryReportsWhatRxeHas() {
        var extended = context.attributes().extended();
        assertThat(extended.odpGeneral() & 1).isEqualTo(Kernel.hasOnDemandPaging() ? 1 : 0);
        assertThat(extended.odpRc() != 0).isEqualTo(Kernel.hasOnDemandPaging());
        assertThat(extended.odpUc()).isZero();
        assertThat(extended.odpXrc()).isZero();
        for (long flag : new long[]{
                DeviceAttributes.FLUSH_GLOBAL, DeviceAttributes.FLUSH_PERSISTENT, DeviceAttributes.ATOMIC_WRITE
        }) {
            assertThat(context.attributes().has(flag)).isEqualTo(Kernel.hasFlushAndAtomicWrite());
        }
        assertThat(context.attributes().has(DeviceAttributes.MEMORY_WINDOW_TYPE_2B)).isTrue();
        assertThat(extended.completionTimestampMask()).as("no timestamps").isZero();
        assertThat(extended.coreClockKilohertz()).as("no clock").isZero();
        assertThat(extended.maxWorkQueues()).isZero();
        assertThat(extended.rawPacketCapabilities()).isZero();
        assertThat(extended.maxTagMatchingRendezvousHeader()).isZero();
        assertThat(extended.maxCompletionModerationCount()).isZero();
        assertThat(extended.maxDeviceMemory()).isZero();
    }

    @Test
    @Covers("ibv_query_device")
    void thePlainQuerysLimitsAreTheSame() {
        var attributes = context.attributes();
        assertThat(attributes.maxQueuePairs()).isPositive();
        assertThat(attributes.maxCompletionQueues()).isPositive();
        assertThat(attributes.maxMemoryRegions()).isPositive();
        assertThat(attributes.maxProtectionDomains()).isPositive();
        assertThat(attributes.maxMulticastGroups()).isEqualTo(8192);
        assertThat(attributes.maxMulticastQueuePairs()).isEqualTo(56);
        assertThat(attributes.maxQueuePairInitReadAtomic()).isEqualTo(128);
        assertThat(attributes.localAckDelay()).isEqualTo(15);
        assertThat(attributes.systemImageGuid()).isEqualTo(context.device().systemImageGuid());
    }

    /// sysfs makes its text of the same two codes.
    @RealKernel("sysfs")
    @Test
    @Covers("ibv_query_port")
    void thePortsSpeedAndWidthAreThoseOfSysfs() {
        var port = context.port(1);
        assertThat(port.physicalState()).isEqualTo(PhysicalState.LINK_UP);
        assertThat(Rxe.portSysfs("phys_state")).isEqualTo("5: LinkUp");
        assertThat(port.activeWidth()).as("1x").isEqualTo(1);
        assertThat(port.activeSpeed()).as("FDR10").isEqualTo(8);
        assertThat(Rxe.portSysfs("rate")).isEqualTo("10 Gb/sec (1X FDR10)");
        assertThat(port.flags() & 1).as("packets need a GRH").isEqualTo(1);
        assertThat(port.pkeyTableLength()).isEqualTo(1);
        assertThat(port.capabilityFlags2()).isZero();
    }

    @Test
    @Scenario({
            "test_device.DeviceTest.test_get_pkey_index",
            "test_device.DeviceTest.test_query_pkey"
    })
    @Covers({"ibv_query_pkey", "ibv_get_pkey_index"})
    void thePortHasTheOnePkeyOfRoce() {
        assertThat(context.pkeys(1)).containsExactly(0xffff).hasSize(context.port(1).pkeyTableLength());
        assertThat(context.pkey(1, 0)).isEqualTo(0xffff);
        assertThat(context.pkeyIndex(1, 0xffff)).hasValue(0);
        assertThat(context.pkeyIndex(1, 0x7fff)).isEmpty();
    }

    @Test
    @Covers({"ibv_query_pkey", "ibv_get_pkey_index"})
    void refusesPkeysAndIndexesThatThereAreNot() {
        assertThatThrownBy(() -> context.pkey(1, 1)).hasMessage("index=1 is not in 0..0");
        assertThatThrownBy(() -> context.pkey(2, 0)).hasMessage("port=2 is not in 1..1");
        assertThatThrownBy(() -> context.pkeyIndex(1, 0x10000)).hasMessage("pkey=65536 is not in 0..65535");
    }

    @RealKernel("sysfs")
    @Test
    @Covers({"ibv_query_gid", "ibv_query_gid_ex", "ibv_query_gid_table"})
    void aGidComesWithItsTypeAndItsInterface() throws IOException {
        var entry = context.gid(1, Rxe.IPV4_INDEX);
        assertThat(entry.gid()).isEqualTo(Rxe.gid(1));
        assertThat(entry.port()).isEqualTo(1);
        assertThat(entry.type()).hasToString("ROCE_V2");
        assertThat(entry.interfaceIndex())
                .isEqualTo(Integer.parseInt(Files.readString(
                        Path.of("/sys/class/net", Rxe.sysfs("parent"), "ifindex")).strip()));
        assertThat(context.gids()).contains(entry);
    }

    @Test
    @Covers({
            "ibv_get_device_list", "ibv_free_device_list", "ibv_get_device_name", "ibv_get_device_guid",
            "ibv_get_device_index", "ibv_node_type_str"
    })
    @RealKernel("netlink")
    void theDevicesIndexIsThatOfNetlink() {
        String line = ExternalProcess.of("rdma", "dev", "show", Rxe.LEFT)
                .run(Duration.ofSeconds(10))
                .requireSuccess()
                .output();
        assertThat(line).startsWith(context.device().index().orElseThrow() + ": " + Rxe.LEFT + ":");
        assertThat(line).contains("node_guid " + "%016x".formatted(context.device().nodeGuid())
                .replaceAll("(....)(?!$)", "$1:"));
        assertThat(context.device().nodeType()).hasToString("CA");
        assertThat(Devices.find(Rxe.RIGHT).index().orElseThrow())
                .isNotEqualTo(context.device().index().orElseThrow());
    }

    @Test
    @RealKernel("sysfs")
    void theDriversCountersAreThoseOfSysfs() throws IOException {
        var names = new TreeMap<String, Long>();
        try (var files = Files.list(Path.of("/sys/class/infiniband", Rxe.LEFT, "ports/1/hw_counters"))) {
            files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.equals("lifespan"))
                    .forEach(name -> names.put(name, 0L));
        }
        HardwareCounters counters = context.hardwareCounters(1);
        assertThat(counters.values().keySet())
                .isEqualTo(names.keySet())
                .contains("sent_pkts", "rcvd_pkts", "retry_exceeded_err", "send_rnr_err");
        assertThat(counters.lifespan().toMillis())
                .isEqualTo(Long.parseLong(Rxe.portSysfs("hw_counters/lifespan")));
        assertThat(counters.value("no such")).isEmpty();
    }

    @Test
    void theDriverCountsPackets() {
        long before = packets();
        try (var pair = ConnectedPair.onTheWire().connect()) {
            for (int i = 0; i < 10; i++) {
                pair.left()
                        .post(batch -> batch.signaled()
                                .write()
                                .local(pair.left().memory(), 0, 8)
                                .remote(pair.right().memory().remote())
                                .post());
            }
            pair.left().completions().nextSuccesses(10);
        }
        Eventually.until(() -> packets() >= before + 10, () -> before + " packets before, now " + packets());
    }

    private long packets() {
        return context.hardwareCounters(1).value("sent_pkts").orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void refusesCountersOfPortsThatThereAreNot(int port) {
        assertThatThrownBy(() -> context.hardwareCounters(port)).hasMessage("port=" + port + " is not in 1..1");
    }

    @Test
    @Covers({"ibv_rate_to_mbps", "mbps_to_ibv_rate", "ibv_rate_to_mult", "mult_to_ibv_rate"})
    void ratesHaveThreeForms() {
        Rate rate = Rate.ofMegabitsPerSecond(10_000).orElseThrow();
        assertThat(rate.value()).isEqualTo(3);
        assertThat(rate.multiple()).isEqualTo(4);
        assertThat(Rate.ofMultiple(4)).contains(rate);
        assertThat(Rate.of(3)).contains(rate);
        assertThat(Rate.of(99)).isEmpty();
        assertThat(Rate.ofMultiple(7)).isEmpty();
        assertThat(Rate.ofMegabitsPerSecond(1)).isEmpty();
    }
}
