// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.pyverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.Devices;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.types.DeviceAttributes;
import io.verbs4j.types.Errno;
import io.verbs4j.types.GidEntry;
import io.verbs4j.types.NodeType;
import io.verbs4j.types.VerbsException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Devices and what can be asked of them, as in `test_device.py`.
@PyverbsScenarios
@Needs.OneKernel
class PyverbsDeviceIT {
    @Test
    @Covers("ibv_get_device_list")
    @Scenario("test_device.DeviceTest.test_dev_list")
    void listsDevices() {
        assertThat(Devices.list()).extracting(Device::name).contains(Rxe.LEFT, Rxe.RIGHT);
    }

    @Test
    @Covers({"ibv_open_device", "ibv_close_device"})
    @Scenario("test_device.DeviceTest.test_open_dev")
    void opensEveryDevice() {
        for (Device device : Devices.list()) {
            try (Context context = device.open()) {
                assertThat(context.device()).isSameAs(device);
            }
        }
    }

    @Test
    @Covers({"ibv_query_device", "ibv_query_device_ex", "ibv_node_type_str"})
    @Scenario({"test_device.DeviceTest.test_query_device", "test_device.DeviceTest.test_query_device_ex"})
    void queriesEveryDevice() {
        for (Device device : Devices.list()) {
            try (Context context = device.open()) {
                DeviceAttributes attributes = context.attributes();
                assertThat(device.nodeType()).isEqualTo(NodeType.CA).hasToString("CA");
                assertThat(attributes.nodeGuid()).isNotZero();
                assertThat(attributes.systemImageGuid()).isNotZero();
                assertThat(attributes.maxMemoryRegionSize()).isEqualTo(-1); // all of 64 bits
                assertThat(attributes.vendorId()).isNotZero();
                assertThat(attributes.maxQueuePairs()).isPositive();
                assertThat(attributes.maxQueuePairWorkRequests()).isPositive();
                assertThat(attributes.maxScatterGather()).isPositive();
                assertThat(attributes.maxScatterGatherRead()).isNotNegative();
                assertThat(attributes.maxCompletionQueues()).isPositive();
                assertThat(attributes.maxCompletionQueueEntries()).isPositive();
                assertThat(attributes.maxMemoryRegions()).isPositive();
                assertThat(attributes.maxProtectionDomains()).isPositive();
                assertThat(attributes.maxPkeys()).isPositive();
            }
        }
    }

    @Test
    @Covers("ibv_query_device_ex")
    @Scenario("test_device.DeviceTest.test_phys_port_cnt_ex")
    void countsThePorts() {
        for (Device device : Devices.list()) {
            try (Context context = device.open()) {
                assertThat(context.attributes().ports()).isEqualTo(device.ports()).isEqualTo(1);
            }
        }
    }

    @Test
    @Covers({"ibv_query_pkey", "ibv_get_pkey_index"})
    @Scenario({"test_device.DeviceTest.test_query_pkey", "test_device.DeviceTest.test_get_pkey_index"})
    void queriesTheFirstPkeyAndFindsItAgain() {
        for (Device device : Devices.list()) {
            try (Context context = device.open()) {
                assertThat(context.pkey(1, 0)).isEqualTo(0xffff);
                assertThat(context.pkeyIndex(1, 0xffff)).hasValue(0);
            }
        }
    }

    @Test
    @Covers("ibv_query_gid")
    @Scenario({"test_device.DeviceTest.test_query_gid", "test_device.DeviceTest.test_query_gid_ex"})
    void queriesTheFirstGid() {
        for (Device device : Devices.list()) {
            try (Context context = device.open()) {
                GidEntry first = context.gid(1, 0);
                assertThat(first.index()).isZero();
                assertThat(first.gid().isZero()).isFalse();
            }
        }
    }

    @Test
    @Covers("ibv_query_gid_table")
    @Scenario("test_device.DeviceTest.test_query_gid_table")
    void queriesTheGidTable() {
        try (Context context = Rxe.open()) {
            assertThat(context.gids()).extracting(GidEntry::gid).contains(Rxe.gid(1));
        }
    }

    @Test
    @Covers("ibv_query_gid_ex")
    @Scenario("test_device.DeviceTest.test_query_gid_ex_bad_flow")
    void saysThatAGidSlotIsEmpty() {
        try (Context context = Rxe.open()) {
            var used = context.gids(1).stream().map(GidEntry::index).toList();
            int empty = IntStream.range(0, context.port(1).gidTableLength())
                    .filter(index -> !used.contains(index))
                    .findFirst()
                    .orElseThrow();
            assertThatThrownBy(() -> context.gid(1, empty))
                    .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno())
                            .isEqualTo(Errno.ENODATA));
        }
    }

    @Test
    @Covers({"ibv_query_port", "ibv_port_state_str"})
    @Scenario("test_device.DeviceTest.test_query_port")
    void queriesThePort() {
        for (Device device : Devices.list()) {
            try (Context context = device.open()) {
                var port = context.port(1);
                assertThat(port.state().known()).isTrue();
                assertThat(port.state()).hasToString("ACTIVE");
                assertThat(port.physicalState().known()).isTrue();
                assertThat(port.linkLayer().known()).isTrue();
                assertThat(port.activeMtu()).isLessThanOrEqualTo(port.maxMtu());
                assertThat(port.activeWidth()).isPositive();
                assertThat(port.activeSpeed()).isPositive();
                assertThat(port.maxMessageSize()).isGreaterThan(0x1000);
            }
        }
    }

    @Test
    @Covers("ibv_query_port")
    @Scenario("test_device.DeviceTest.test_query_port_bad_flow")
    void refusesPortsThatAreNotThere() {
        for (Device device : Devices.list()) {
            try (Context context = device.open()) {
                for (int port = context.attributes().ports() + 1; port <= context.attributes().ports() + 10; port++) {
                    int absent = port;
                    assertThatThrownBy(() -> context.port(absent)).isInstanceOf(IllegalArgumentException.class);
                }
            }
        }
    }
}
