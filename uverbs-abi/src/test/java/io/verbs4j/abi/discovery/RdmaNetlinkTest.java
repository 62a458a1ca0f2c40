// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.discovery;

import static io.verbs4j.abi.discovery.PlayedNetlink.DONE;
import static io.verbs4j.abi.discovery.PlayedNetlink.ERROR;
import static io.verbs4j.abi.discovery.PlayedNetlink.OBJECT;
import static io.verbs4j.abi.discovery.PlayedNetlink.attribute;
import static io.verbs4j.abi.discovery.PlayedNetlink.end;
import static io.verbs4j.abi.discovery.PlayedNetlink.late;
import static io.verbs4j.abi.discovery.PlayedNetlink.message;
import static io.verbs4j.abi.discovery.PlayedNetlink.text;
import static io.verbs4j.abi.discovery.PlayedNetlink.u32;
import static io.verbs4j.abi.discovery.PlayedNetlink.u64;
import static io.verbs4j.abi.discovery.PlayedNetlink.u8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.discovery.KernelResource.Detail;
import io.verbs4j.abi.uapi.RdmaDriver;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PhysicalState;
import io.verbs4j.types.PortState;
import io.verbs4j.types.VerbsException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Requests to RDMA netlink and their responses, with the numbers of include/uapi/rdma/rdma_netlink.h.
class RdmaNetlinkTest {
    private static final byte[] END = end(DONE, 0);
    private static final byte[] ACKNOWLEDGEMENT = end(ERROR, 0);

    private final PlayedNetlink kernel = new PlayedNetlink();
    private final RdmaNetlink netlink = new RdmaNetlink(kernel);

    /// Every request frees its memory.
    @AfterEach
    void freesMemory() {
        assertThat(kernel.memory).isNotEmpty().noneMatch(memory -> memory.scope().isAlive());
    }

    @Test
    void listsDevices() {
        kernel.answer(
                message(OBJECT, u32(1, 3), text(2, "rxe0"), u32(3, 1), text(67, "roce")),
                message(OBJECT, u32(1, 4), text(2, "mlx5_0"), u32(3, 2), text(67, "ib")))
                .answer(message(OBJECT), END);

        assertThat(netlink.devices())
                .containsExactly(
                        new RdmaSubsystem.Device(3, "rxe0", 1, "roce"),
                        new RdmaSubsystem.Device(4, "mlx5_0", 2, "ib"),
                        new RdmaSubsystem.Device(-1, "", 0, ""));
        assertThat(kernel.requests).containsExactly("1401 0305");
    }

    @Test
    void returnsTheNodeOfADevice() {
        kernel.answer(
                message(OBJECT, text(70, "uverbs7"), u64(71, 5), u64(72, 0x6781279aL), u32(73, 14)),
                ACKNOWLEDGEMENT);

        assertThat(netlink.uverbs(7)).isEqualTo(new RdmaNetlink.CharacterDevice("uverbs7", 0x127, 0x6789a, 5, 14));
        assertThat(kernel.requests).containsExactly("140f 0005 1=07000000 69=75766572627300");
    }

    @Test
    void aNodeWithoutFactsHasTheirDefaults() {
        kernel.answer(message(OBJECT), ACKNOWLEDGEMENT);
        assertThat(netlink.uverbs(7)).isEqualTo(new RdmaNetlink.CharacterDevice("", 0, 0, 0, RdmaDriver.UNKNOWN));
    }

    @Test
    void aDeviceMayHaveNoNode() {
        kernel.answer(ACKNOWLEDGEMENT);
        assertErrno(Errno.ENOENT, () -> netlink.uverbs(7));
    }

    @Test
    void listsPorts() {
        kernel.answer(
                message(OBJECT, u32(3, 1), u8(12, 4), u8(13, 5), text(51, "eth0")), message(OBJECT, u32(3, 2)),
                message(OBJECT), END);

        assertThat(netlink.ports(9))
                .containsExactly(
                        new RdmaSubsystem.Port(1, PortState.ACTIVE, PhysicalState.LINK_UP, Optional.of("eth0")),
                        new RdmaSubsystem.Port(2, new PortState(0), new PhysicalState(0), Optional.empty()),
                        new RdmaSubsystem.Port(0, new PortState(0), new PhysicalState(0), Optional.empty()));
        assertThat(kernel.requests).containsExactly("1405 0305 1=09000000");
    }

    /// The name, command, table, entry and number of each kind, and its facts, as `rdma resource show` reports them.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        CONTEXT              | ctx   | 22 | 86 | 87 | 64 |
        PROTECTION_DOMAIN    | pd    | 14 | 46 | 47 | 60 | ctxn 64, users 38
        MEMORY_REGION        | mr    | 13 | 40 | 41 | 62 | mrlen 45, pdn 60, lkey 43, rkey 42
        COMPLETION_QUEUE     | cq    | 12 | 35 | 36 | 61 | cqe 37, ctxn 64, users 38
        SHARED_RECEIVE_QUEUE | srq   | 23 | 88 | 89 | 90 | type 26, pdn 60, cqn 61
        QUEUE_PAIR           | qp    | 10 | 19 | 20 | 21 | type 26, state 27, rqpn 22, sq-psn 24, rq-psn 23, pdn 60
        CONNECTION_ID        | cm_id | 11 | 30 | 31 | 63 | port-space 32, lqpn 21, type 26, state 27
        """)
    void listsObjects(ResourceKind kind, String name, int command, int table, int entry, int number, String facts) {
        byte[][] all = IntStream.range(20, 91)
                .filter(attribute -> attribute != 29 && attribute != 33 && attribute != 34)
                .mapToObj(attribute -> u64(attribute, 1000L + attribute))
                .toArray(byte[][]::new);
        kernel.answer(
                message(OBJECT,
                        attribute(table, attribute(entry, all), attribute(entry, text(29, "ib_core")),
                                attribute(entry))),
                message(OBJECT, attribute(table + 1, attribute(entry, all))), END);

        List<Detail> details = facts == null
                ? List.of()
                : Stream.of(facts.split(", "))
                        .map(fact -> fact.split(" "))
                        .map(fact -> new Detail(fact[0], 1000 + Integer.parseInt(fact[1])))
                        .toList();
        assertThat(netlink.resources(9, kind))
                .containsExactly(
                        new KernelResource(
                                kind, OptionalLong.of(1000L + number), OptionalInt.of(1028), Optional.empty(), details,
                                List.of()),
                        new KernelResource(
                                kind, OptionalLong.empty(), OptionalInt.empty(), Optional.of("ib_core"), List.of(),
                                List.of()),
                        new KernelResource(
                                kind, OptionalLong.empty(), OptionalInt.empty(), Optional.empty(), List.of(),
                                List.of()));
        assertThat(kind.shortName()).isEqualTo(name);
        assertThat(kernel.requests).containsExactly("14%02x 0305 1=09000000".formatted(command));
    }

    @Test
    void aConnectionHasAddresses() {
        byte[] ipv4 = HexFormat.of().parseHex("02001d2f0a090002" + "00".repeat(120));
        byte[] ipv6 = HexFormat.of().parseHex("0a001d3000000000" + "fd" + "00".repeat(14) + "01" + "00000000");
        kernel.answer(
                message(
                        OBJECT,
                        attribute(
                                30,
                                attribute(31, attribute(33, ipv4), attribute(34, ipv6)),
                                attribute(31, attribute(33, Arrays.copyOf(ipv4, 27)), attribute(34, new byte[128])))),
                END);

        assertThat(netlink.resources(9, ResourceKind.CONNECTION_ID))
                .extracting(KernelResource::addresses)
                .containsExactly(
                        List.of(
                                new KernelResource.Address("src-addr", new InetSocketAddress("10.9.0.2", 7471)),
                                new KernelResource.Address("dst-addr", new InetSocketAddress("fd00::1", 7472))),
                        List.of());
    }

    @Test
    void devicesAreSharedUnlessTheKernelDenies() {
        for (var mode : Map.of(0, false, 1, true, 2, true).entrySet()) {
            kernel.answer(message(OBJECT, u8(66, mode.getKey())), ACKNOWLEDGEMENT);
            assertThat(netlink.sharesDevicesBetweenNamespaces()).isEqualTo(mode.getValue());
        }
        kernel.answer(message(OBJECT), ACKNOWLEDGEMENT);
        assertThat(netlink.sharesDevicesBetweenNamespaces()).isTrue();
        kernel.answer(ACKNOWLEDGEMENT);
        assertThat(netlink.sharesDevicesBetweenNamespaces()).isTrue();
        assertThat(kernel.requests).hasSize(5).containsOnly("1406 0005");
    }

    @Test
    void pagesAreCopiedIfTheKernelReportsIt() {
        for (var value : Map.of(0, false, 1, true, 2, false).entrySet()) {
            kernel.answer(message(OBJECT, u8(93, value.getKey())), ACKNOWLEDGEMENT);
            assertThat(netlink.copiesOnFork()).isEqualTo(value.getValue());
        }
        kernel.answer(message(OBJECT), ACKNOWLEDGEMENT);
        assertThat(netlink.copiesOnFork()).isFalse();
        kernel.answer(ACKNOWLEDGEMENT);
        assertThat(netlink.copiesOnFork()).isFalse();
        assertThat(kernel.requests).hasSize(5).containsOnly("1406 0005");
    }

    @Test
    void createsAndDeletesDevices() {
        kernel.answer(ACKNOWLEDGEMENT);
        netlink.addLink("rxe7", "rxe", "eth0");
        kernel.answer(ACKNOWLEDGEMENT);
        netlink.deleteLink(7);

        assertThat(kernel.requests)
                .containsExactly("1403 0005 2=7278653700 65=72786500 51=6574683000", "1404 0005 1=07000000");
    }

    static Stream<Consumer<RdmaNetlink>> operations() {
        return Stream.of(
                RdmaNetlink::devices,
                netlink -> netlink.uverbs(1),
                netlink -> netlink.ports(1),
                netlink -> netlink.resources(1, ResourceKind.QUEUE_PAIR),
                RdmaNetlink::sharesDevicesBetweenNamespaces,
                RdmaNetlink::copiesOnFork,
                netlink -> netlink.addLink("a", "rxe", "eth0"),
                netlink -> netlink.deleteLink(1));
    }

    /// An error ends a response, a list, or the sending; a response may be missing.
    @ParameterizedTest
    @MethodSource("operations")
    void failsWithTheKernelsError(Consumer<RdmaNetlink> operation) {
        kernel.answer(end(ERROR, -Errno.EPERM));
        assertErrno(Errno.EPERM, () -> operation.accept(netlink));
        kernel.answer(message(OBJECT)).answer(end(DONE, -Errno.EMSGSIZE));
        assertErrno(Errno.EMSGSIZE, () -> operation.accept(netlink));
        kernel.answer(message(OBJECT));
        assertErrno(Errno.ETIMEDOUT, () -> operation.accept(netlink));
        kernel.refusal = -Errno.ECONNREFUSED;
        assertErrno(Errno.ECONNREFUSED, () -> operation.accept(netlink));
    }

    /// Responses to an earlier request may still arrive.
    @Test
    void otherRequestsResponsesAreIgnored() {
        kernel.answer(message(OBJECT, u32(1, 1)), END);
        netlink.devices();
        kernel.answer(late(OBJECT, u32(1, 2)), message(OBJECT, u32(1, 3))).answer(END);

        assertThat(netlink.devices()).extracting(RdmaSubsystem.Device::index).containsExactly(3);
    }

    @Test
    void aListMayEndWithoutAResult() {
        kernel.answer(message(OBJECT, u32(1, 3)), message(DONE), message(OBJECT));
        assertThat(netlink.devices()).hasSize(1);
    }

    @Test
    void closesItsSocket() {
        kernel.answer(END);
        netlink.devices();
        assertThat(kernel.closed).isFalse();
        netlink.close();
        assertThat(kernel.closed).isTrue();
    }

    private static void assertErrno(int errno, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }
}
