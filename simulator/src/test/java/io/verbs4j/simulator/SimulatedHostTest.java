// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.cm.BindAddress;
import io.verbs4j.abi.cm.CmDevice;
import io.verbs4j.abi.cm.CreateIdentifier;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.discovery.KernelResource;
import io.verbs4j.abi.discovery.RdmaSubsystem;
import io.verbs4j.abi.discovery.ResourceKind;
import io.verbs4j.abi.discovery.UverbsDevice;
import io.verbs4j.abi.host.KernelRelease;
import io.verbs4j.simulator.profile.Behaviour;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.types.DeviceGoneException;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PhysicalState;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.PortState;
import io.verbs4j.types.VerbsException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The properties of devices that a simulated host reports without an open device, and the limits of changes by an
/// administrator.
class SimulatedHostTest {
    private static final int SECOND_INDEX = 1;

    private final SimulatedNetwork network = SimulatedNetwork.inVirtualTime(3);
    private final SimulatedHost host = network.addHost("here", KernelProfile.LINUX_6_12);
    private final SimulatedDevice first = host.addDevice("rxe0");
    private final SimulatedDevice second = host.addDevice("other");

    @AfterEach
    void close() {
        network.close();
    }

    private static InetAddress address(String text) {
        return InetAddress.ofLiteral(text);
    }

    private static void refused(int errno, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    @Test
    void hostsHaveNamesAndKernels() {
        assertThat(host.name()).isEqualTo("here");
        assertThat(host).hasToString("simulated host here");
        assertThat(host.profile()).isEqualTo(KernelProfile.LINUX_6_12);
        assertThat(host.network()).isSameAs(network);
        assertThat(network.hosts()).containsExactly(host);
        assertThat(host.kernel()).isEqualTo(new KernelRelease(6, 12, 115));
        assertThat(host.copiesMemoryOnFork()).isTrue();
        assertThat(host.absence().reason()).isEqualTo("simulated host here has no RDMA device");
        assertThat(host.absence().remedy()).contains("addDevice");
    }

    @Test
    void devicesHaveNumbersNamesAndAddresses() {
        assertThat(host.devices()).extracting(UverbsDevice::name).containsExactly("rxe0", "other");
        UverbsDevice device = host.devices().get(1);
        assertThat(device.index()).isEqualTo(SECOND_INDEX);
        assertThat(device.uverbsName()).isEqualTo("uverbs1");
        assertThat(device.node()).isEqualTo(Path.of("/dev/infiniband/uverbs1"));
        assertThat(device.major()).isEqualTo(231);
        assertThat(device.minor()).isEqualTo(193);
        assertThat(device.nodeGuid()).isEqualTo(0x0000_00ff_fe00_0002L);
        assertThat(device.systemImageGuid()).isEqualTo(device.nodeGuid());
        assertThat(device.networkInterface()).isEqualTo("veth1");
        assertThat(device.ports()).isEqualTo(1);
        assertThat(second).hasToString("other").returns("other", SimulatedDevice::name);
        assertThat(host.addresses("veth0")).isEqualTo(Set.of(address("fe80::ff:fe00:1"), address("10.9.0.1")));
        assertThat(host.addresses("veth1")).isEqualTo(Set.of(address("fe80::ff:fe00:2"), address("10.9.0.2")));
        assertThat(host.addresses("veth2")).isEmpty();
        assertThat(host.interfaceIndex("veth1")).isEqualTo(OptionalInt.of(3));
        assertThat(host.interfaceIndex("veth2")).isEmpty();
        assertThat(host.interfaceName(2)).contains("veth0");
        assertThat(host.interfaceName(3)).contains("veth1");
        assertThat(host.interfaceName(1)).isEmpty();
        assertThat(host.find("other")).contains(second);
        assertThat(host.find("another")).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> host.addDevice("other"))
                .withMessage("here already has a device of this name: other");
    }

    @Test
    void aNewDeviceGetsTheLowestFreeNumberAndANewAddress() {
        host.removeDevice("rxe0");
        assertThat(host.devices()).extracting(UverbsDevice::name).containsExactly("other");
        assertThat(host.find("rxe0")).isEmpty();
        assertThat(host.addresses("veth0")).isEmpty();
        host.addDevice("third");
        assertThat(host.find("third").orElseThrow().description().index()).isZero();
        assertThat(host.addresses("veth0")).contains(address("10.9.0.3"));
    }

    @Test
    void filesAreThoseOfDevices() {
        refused(Errno.ENOENT, () -> host.open(Path.of("/dev/infiniband/uverbs2")));
        assertThat(first.contexts()).isZero();
        DeviceFile file = host.open(Path.of("/dev/infiniband/uverbs0"));
        assertThat(file.fileDescriptor()).isEqualTo(-1);
        file.wake();
        file.close();
        file.close();
        DeviceFile manager = host.open(CmDevice.NODE);
        assertThat(manager.fileDescriptor()).isEqualTo(-2);
        assertThat(host.open(CmDevice.NODE).fileDescriptor()).isEqualTo(-3);
        refused(Errno.ENODEV, () -> manager.map(0, 4096));
        refused(Errno.EINVAL, () -> manager.unmap(MemorySegment.NULL));
        refused(Errno.EBADF, () -> manager.eventFile(1));
        assertThat(manager.ioctl(MemorySegment.NULL)).isEqualTo(-Errno.ENOTTY);
        manager.close();
        assertThat(manager.ioctl(MemorySegment.NULL)).isEqualTo(-Errno.EBADF);
        assertThat(manager.write(MemorySegment.NULL)).isEqualTo(-Errno.EBADF);
        assertThat(manager.await(0)).isEqualTo(-Errno.EBADF);
    }

    /// A device has one port, number 1.
    @Test
    void portsAreThoseOfDevices() {
        assertThat(host.portState("rxe0", 1)).contains(PortState.ACTIVE);
        assertThat(host.pkeys("rxe0", 1)).containsExactly(0xffff);
        assertThat(host.counters("rxe0", 1)).containsEntry("sent_pkts", 0L).hasSize(15);
        assertThat(host.hardwareCounters("rxe0", 1).values()).isEqualTo(host.counters("rxe0", 1));
        for (int port : new int[]{0, 2}) {
            assertThat(host.portState("rxe0", port)).isEmpty();
            assertThat(host.counters("rxe0", port)).isEmpty();
            gone("rxe0", port);
        }
        assertThat(host.portState("rxe1", 1)).isEmpty();
        assertThat(host.counters("rxe1", 1)).isEmpty();
        gone("rxe1", 1);
    }

    private void gone(String device, int port) {
        String reason = "it is not on the simulated host here";
        assertThatThrownBy(() -> host.pkeys(device, port))
                .isInstanceOf(DeviceGoneException.class)
                .hasMessageContainingAll("query port " + port + " of " + device, reason);
        assertThatThrownBy(() -> host.hardwareCounters(device, port))
                .isInstanceOfSatisfying(
                        DeviceGoneException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENODEV));
    }

    @Test
    void theSubsystemListsTheSame() {
        try (RdmaSubsystem subsystem = host.subsystem()) {
            assertThat(subsystem.devices())
                    .containsExactly(
                            new RdmaSubsystem.Device(0, "rxe0", 1, "roce"),
                            new RdmaSubsystem.Device(1, "other", 1, "roce"));
            assertThat(subsystem.ports(SECOND_INDEX))
                    .containsExactly(new RdmaSubsystem.Port(
                            1, PortState.ACTIVE, PhysicalState.LINK_UP, Optional.of("veth1")));
            second.link(false);
            assertThat(subsystem.ports(SECOND_INDEX))
                    .containsExactly(new RdmaSubsystem.Port(
                            1, PortState.DOWN, PhysicalState.DISABLED, Optional.of("veth1")));
            assertThat(subsystem.sharesDevicesBetweenNamespaces()).isTrue();
            refused(Errno.EINVAL, () -> subsystem.ports(2));
            refused(Errno.EINVAL, () -> subsystem.resources(2, ResourceKind.QUEUE_PAIR));
            refused(Errno.EOPNOTSUPP, () -> subsystem.addLink("rxe2", "rxe", "veth2"));
            refused(Errno.EOPNOTSUPP, () -> subsystem.deleteLink(0));
        }
    }

    @Test
    void identifiersBelongToTheDeviceOfTheirAddress() {
        DeviceFile file = host.open(CmDevice.NODE);
        for (String bound : List.of("10.9.0.2", "0.0.0.0", "10.9.0.1", "10.9.0.2")) {
            int id = CreateIdentifier.execute(file, 1, PortSpace.UDP, PortSpace.UDP.queuePairType());
            BindAddress.execute(file, id, new InetSocketAddress(bound, 0));
        }
        assertThat(host.identifiers()).containsExactly("CM_ID 0", "CM_ID 2", "CM_ID 3");
        try (RdmaSubsystem subsystem = host.subsystem()) {
            assertThat(subsystem.resources(SECOND_INDEX, ResourceKind.CONNECTION_ID))
                    .containsExactly(identifier(0), identifier(3));
            assertThat(subsystem.resources(0, ResourceKind.CONNECTION_ID)).containsExactly(identifier(2));
        }
    }

    private static KernelResource identifier(int number) {
        return KernelResource.ofThisProcess(ResourceKind.CONNECTION_ID, number,
                new KernelResource.Detail("port-space", PortSpace.UDP.value()));
    }

    @ParameterizedTest
    @CsvSource({
            "10.9.0.1, 10.9.0.1", "10.9.0.2, 10.9.0.2", "10.9.0.200, 10.9.0.1", "fe80::9, fe80::ff:fe00:1",
            "127.0.0.1, 127.0.0.1", "10.8.0.1, "
    })
    void packetsLeaveFromTheDeviceOnTheirNetwork(String peer, String source) {
        if (source == null) {
            assertThatThrownBy(() -> host.sourceAddress(address(peer)))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("no route to " + peer);
        } else {
            assertThat(host.sourceAddress(address(peer))).isEqualTo(address(source));
        }
    }

    @Test
    void anAddressHasTheLowestFreeIndex() {
        first.addAddress(address("10.9.0.50"));
        first.removeAddress(address("fe80::ff:fe00:1"));
        first.removeAddress(address("fe80::ff:fe00:1"));
        first.removeAddress(address("10.9.0.2")); // of the other device
        first.addAddress(address("10.9.0.51"));
        assertThat(first.port().node().addresses())
                .extracting(found -> found.toInetAddress().getHostAddress())
                .containsExactly("10.9.0.51", "10.9.0.1", "10.9.0.50");
        assertThat(host.addresses("veth1")).contains(address("10.9.0.2"));
        assertThat(host.sourceAddress(address("10.9.0.2"))).isEqualTo(address("10.9.0.2"));
    }

    @Test
    void anAddressBelongsToOneDevice() {
        first.addAddress(address("10.9.0.1"));
        assertThat(first.port().node().addresses()).hasSize(2);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> second.addAddress(address("10.9.0.1")))
                .withMessage("another device of the network has the address 10.9.0.1");
        first.removeAddress(address("10.9.0.1"));
        second.addAddress(address("10.9.0.1"));
        assertThat(host.sourceAddress(address("10.9.0.1"))).isEqualTo(address("10.9.0.1"));
    }

    @ParameterizedTest
    @CsvSource({"67, false", "68, true", "65535, true", "65536, false"})
    void theMtuHasLimits(int bytes, boolean accepted) {
        if (accepted) {
            first.mtu(bytes);
            assertThat(first.port().node().rxe().interfaceMtu()).isEqualTo(bytes);
        } else {
            assertThatIllegalArgumentException().isThrownBy(() -> first.mtu(bytes)).withMessageStartingWith("mtu=");
        }
    }

    /// `rxe_set_mtu`, rxe.c: the packets have up to 80 bytes of headers.
    @ParameterizedTest
    @CsvSource({
            "68, 256", "335, 256", "336, 256", "591, 256", "592, 512", "1103, 512", "1104, 1024", "1500, 1024",
            "2127, 1024", "2128, 2048", "4175, 2048", "4176, 4096", "65535, 4096"
    })
    void thePayloadFitsIntoTheMtu(int mtu, int payload) {
        first.mtu(mtu);
        assertThat(first.port().node().rxe().activeMtu()).isEqualTo(payload);
    }

    @Test
    void eachLossOfTheLinkCountsOnce() {
        first.link(true);
        first.link(false);
        first.link(false);
        first.link(true);
        first.link(false);
        assertThat(host.counters("rxe0", 1)).containsEntry("link_downed", 2L);
        assertThat(host.portState("rxe0", 1)).contains(PortState.DOWN);
        assertThat(host.portState("other", 1)).contains(PortState.ACTIVE);
    }

    @Test
    void timeStandsStillInAVirtualNetwork() {
        assertThat(network.now()).isEqualTo(Duration.ZERO);
        network.advance(Duration.ofNanos(17));
        assertThat(network.now()).isEqualTo(Duration.ofNanos(17));
    }

    @ParameterizedTest
    @EnumSource
    void kernelsAreFoundByTheirTitles(KernelProfile kernel) {
        assertThat(KernelProfile.named(kernel.title())).isEqualTo(kernel);
        assertThat(kernel.behaviours()).allMatch(kernel::has).isUnmodifiable();
        assertThat(List.of(Behaviour.values())).filteredOn(kernel::has)
                .containsExactlyInAnyOrderElementsOf(kernel.behaviours());
    }

    @Test
    void kernelsHaveReleases() {
        assertThat(KernelProfile.values())
                .extracting(KernelProfile::title)
                .containsExactly("6.1", "6.12", "7.2", "specification");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KernelProfile.named("5.4"))
                .withMessage("kernel=5.4 is none of [6.1, 6.12, 7.2, specification]");
    }

    @ParameterizedTest
    @CsvSource({
            "0, 0, LINUX_7_2", "64, 64, LINUX_7_2", "1:6.1, 1, LINUX_6_1", " 3:SPECIFICATION , 3, SPECIFICATION",
            "007, 7, LINUX_7_2"
    })
    void aPropertySpecifiesAHost(String value, int devices, KernelProfile kernel) {
        var created = (SimulatedHost) new SimulatedHostFactory().host(value);
        assertThat(created.profile()).isEqualTo(kernel);
        assertThat(created.name()).isEqualTo("simulated");
        assertThat(created.devices()).hasSize(devices);
        if (devices > 0) {
            assertThat(created.devices().getLast().name()).isEqualTo("rxe" + (devices - 1));
        }
        created.network().close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"65", "1000", "-1", "", "two", "2:", "2:5.4", ":6.1", "2:6.1:7"})
    void anotherPropertyIsRefused(String value) {
        assertThatIllegalArgumentException().isThrownBy(() -> new SimulatedHostFactory().host(value));
    }

    @ParameterizedTest
    @CsvSource({
            "0, 0, 0, 0, true", "1, 1, 1, 1, true", "1.01, 0, 0, 0, false", "0, -0.01, 0, 0, false",
            "0, 0, NaN, 0, false", "0, 0, 0, 2, false"
    })
    void sharesAreFrom0To1(double loss, double duplication, double corruption, double reordering, boolean accepted) {
        Duration delay = Duration.ofNanos(3);
        if (accepted) {
            assertThat(LinkConditions.PERFECT.withLoss(loss)
                    .withDuplication(duplication)
                    .withCorruption(corruption)
                    .withReordering(reordering)
                    .withDelay(delay))
                    .isEqualTo(new LinkConditions(loss, duplication, corruption, reordering, delay));
        } else {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new LinkConditions(loss, duplication, corruption, reordering, delay))
                    .withMessageContaining("is not in 0..1");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LinkConditions.PERFECT.withDelay(Duration.ofNanos(-1)))
                .withMessage("delay=PT-0.000000001S is negative");
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 0, 0, 0, true", "0.1, 0, 0, 0, 0, false", "0, 0.1, 0, 0, 0, false", "0, 0, 0.1, 0, 0, false",
            "0, 0, 0, 0.1, 0, false", "0, 0, 0, 0, 1, false"})
    void onlyAWireWithoutAnyConditionIsPerfect(
            double loss, double duplication, double corruption, double reordering, long nanos, boolean perfect) {
        assertThat(new LinkConditions(loss, duplication, corruption, reordering, Duration.ofNanos(nanos)).isPerfect())
                .isEqualTo(perfect);
    }

    @Test
    void aTapHasTheFramesInTheirOrder() throws Exception {
        assertThatThrownBy(() -> host.openFrames("veth2")).isInstanceOf(NoSuchFileException.class);
        var ends = new int[1];
        var tap = new Tap(() -> ends[0]++);
        MemorySegment buffer = Arena.ofAuto().allocate(8);
        assertThat(tap.receive(buffer)).isEqualTo(-Errno.EAGAIN);
        assertThat(tap.await(0)).isZero();
        tap.bring(new byte[]{1, 2, 3});
        tap.wake();
        tap.bring(new byte[]{4});
        assertThat(tap.await(Duration.ofSeconds(1).toNanos())).isEqualTo(1);
        assertThat(tap.receive(buffer)).isEqualTo(3);
        assertThat(buffer.toArray(ValueLayout.JAVA_BYTE)).startsWith(1, 2, 3, 0);
        assertThat(tap.await(Duration.ofSeconds(20).toNanos())).as("woken").isZero();
        tap.wake();
        assertThat(tap.receive(buffer)).isEqualTo(1);
        assertThat(buffer.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 4);
        assertThat(tap.receive(buffer)).isEqualTo(-Errno.EAGAIN);
        assertThat(tap.takeLost()).isZero();
        Thread.currentThread().interrupt();
        assertThat(tap.await(Duration.ofSeconds(20).toNanos())).isZero();
        assertThat(Thread.interrupted()).isTrue();
        tap.close();
        assertThat(ends[0]).isEqualTo(1);
    }
}
