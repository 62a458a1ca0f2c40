// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.verbs4j.Context;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.Scenario;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Feature;
import io.verbs4j.types.Gid;
import io.verbs4j.types.GidEntry;
import io.verbs4j.types.GidType;
import io.verbs4j.types.LinkLayer;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.PortState;
import io.verbs4j.types.VerbsException;
import java.io.IOException;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests what an open device reports about itself, its port and its GIDs.
@DeviceTest
@Covers({"ibv_open_device", "ibv_close_device"})
@Needs.EachKernel
class ContextIT {
    private final Context context = Rxe.open();

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    @Scenario({
            "test_device.DeviceTest.test_phys_port_cnt_ex",
            "test_device.DeviceTest.test_query_device",
            "test_device.DeviceTest.test_query_device_ex"
    })
    @Covers({"ibv_query_device", "ibv_query_device_ex"})
    void knowsTheDevicesLimits() {
        var attributes = context.attributes();

        assertThat(attributes.nodeGuid()).isEqualTo(context.device().nodeGuid());
        assertThat(attributes.ports()).isEqualTo(1);
        assertThat(attributes.maxQueuePairWorkRequests()).isEqualTo(1 << 20);
        assertThat(attributes.maxScatterGather()).isEqualTo(32);
        assertThat(attributes.maxCompletionQueueEntries()).isEqualTo(32767);
        assertThat(attributes.maxSharedReceiveQueueScatterGather()).isEqualTo(27);
        assertThat(attributes.maxQueuePairReadAtomic()).isEqualTo(128);
        assertThat(attributes.maxMemoryRegionSize()).isEqualTo(-1); // all of 64 bits
        assertThat(attributes.atomicCapability()).isPositive();
        assertThat(attributes.extended().completionTimestampMask()).isZero();
        assertThat(context.completionVectors()).isPositive();
    }

    @RealKernel("sysfs")
    @Test
    @Scenario("test_device.DeviceTest.test_query_port")
    @Covers("ibv_query_port")
    void queriesItsPort() throws IOException {
        var port = context.port(1);

        assertThat(port.state()).isEqualTo(PortState.ACTIVE);
        assertThat(Rxe.portSysfs("state")).isEqualTo("4: ACTIVE");
        assertThat(port.linkLayer()).isEqualTo(LinkLayer.ETHERNET);
        assertThat(port.activeMtu()).isEqualTo(fitting(NetworkInterface.getByName(Rxe.sysfs("parent")).getMTU()));
        assertThat(port.maxMtu()).isEqualTo(Mtu.MTU_4096);
        assertThat(port.maxMessageSize()).isEqualTo(Kernel.longestMessage());
        assertThat(port.lid()).isZero();
        assertThat(port.gidTableLength()).isEqualTo(entriesInSysfs());
    }

    private static Mtu fitting(int interfaceMtu) {
        return interfaceMtu >= 4200 ? Mtu.MTU_4096 : Mtu.MTU_1024;
    }

    @ParameterizedTest
    @Scenario("test_device.DeviceTest.test_query_port_bad_flow")
    @ValueSource(ints = {0, 2, -1, 256})
    @Covers("ibv_query_port")
    void refusesPortsThatTheDeviceDoesNotHave(int port) {
        for (var query : List.<Runnable>of(
                () -> context.port(port), () -> context.gids(port), () -> context.gid(port, 0))) {
            assertThatThrownBy(query::run)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("port=" + port + " is not in 1..1");
        }
    }

    @RealKernel("sysfs")
    @Test
    @Scenario({
            "test_device.DeviceTest.test_query_gid",
            "test_device.DeviceTest.test_query_gid_ex",
            "test_device.DeviceTest.test_query_gid_table"
    })
    @Covers({"ibv_query_gid", "ibv_query_gid_ex", "ibv_query_gid_table"})
    void readsTheSameGidsAsSysfs() throws IOException {
        assertThat(context.gids(1)).isEqualTo(gidsInSysfs());
        assertThat(context.gids()).isEqualTo(context.gids(1));
        assertThat(context.gid(1, Rxe.IPV4_INDEX)).isEqualTo(context.gids(1).get(Rxe.IPV4_INDEX));
        assertThat(context.gid(1, Rxe.IPV4_INDEX).gid()).isEqualTo(Rxe.gid(1));
    }

    @Test
    @Scenario("test_device.DeviceTest.test_query_gid_ex_bad_flow")
    @Covers("ibv_query_gid_ex")
    void saysThatAGidSlotIsEmpty() {
        assertThatThrownBy(() -> context.gid(1, 200))
                .isInstanceOf(VerbsException.class)
                .hasMessageContainingAll("ENODATA", "empty")
                .asInstanceOf(type(VerbsException.class))
                .returns(Errno.ENODATA, VerbsException::errno);
    }

    @ParameterizedTest
    @ValueSource(ints = {100_000, Integer.MAX_VALUE})
    @Covers("ibv_query_gid_ex")
    void saysThatAGidIndexIsBeyondTheTable(int index) {
        assertThatThrownBy(() -> context.gid(1, index))
                .isInstanceOf(VerbsException.class)
                .hasMessageContainingAll("EINVAL", "the index exceeds the table")
                .asInstanceOf(type(VerbsException.class))
                .returns(Errno.EINVAL, VerbsException::errno);
    }

    @Test
    void refusesANegativeGidIndex() {
        assertThatThrownBy(() -> context.gid(1, -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("index=-1");
    }

    @ParameterizedTest
    @EnumSource
    @Covers("ibv_is_qpt_supported")
    void answersBeforehandWhetherItHasAFeature(Feature feature) {
        boolean expected =
                switch (feature) {
                    case SHARED_RECEIVE_QUEUE,
                            RESIZE_COMPLETION_QUEUE,
                            ATOMICS,
                            MEMORY_WINDOW_TYPE_1,
                            MEMORY_WINDOW_TYPE_2,
                            MULTICAST ->
                        true;
                    case ATOMIC_WRITE, FLUSH_GLOBAL, FLUSH_PERSISTENT -> Kernel.hasFlushAndAtomicWrite();
                    case REREGISTER_MEMORY -> Kernel.hasReregistration();
                    case ON_DEMAND_PAGING -> Kernel.hasOnDemandPaging();
                    default -> false;
                };
        assertThat(context.supports(feature)).isEqualTo(expected);
        if (!expected) {
            assertThatThrownBy(() -> context.require(feature))
                    .isInstanceOf(NotSupportedException.class)
                    .hasMessageContainingAll(feature.name(), "rxe");
        }
    }

    private static long entriesInSysfs() throws IOException {
        try (var files = Files.list(Path.of("/sys/class/infiniband", Rxe.LEFT, "ports/1/gids"))) {
            return files.count();
        }
    }

    private static List<GidEntry> gidsInSysfs() throws IOException {
        var entries = new ArrayList<GidEntry>();
        for (int index = 0; index < 8; index++) {
            Gid gid = Gid.parse(Rxe.portSysfs("gids/" + index));
            if (!gid.isZero()) {
                assertThat(Rxe.portSysfs("gid_attrs/types/" + index)).isEqualTo("RoCE v2");
                var network = NetworkInterface.getByName(Rxe.portSysfs("gid_attrs/ndevs/" + index));
                entries.add(new GidEntry(gid, index, 1, GidType.ROCE_V2, network.getIndex()));
            }
        }
        return entries;
    }
}
