// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.simulator.SimulatedDevice;
import io.verbs4j.simulator.SimulatedHost;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.spi.Completion;
import io.verbs4j.types.CompletionOpcode;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.Gid;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Compares values and texts of the API whole: completions, remote memory, times, and the choice of GIDs.
class VerbsValuesTest {
    private static final int SEND = CompletionOpcode.SEND.value();
    private static final int RECEIVE = CompletionOpcode.RECEIVE.value();

    private static void assertCompletion(Completion words, CompletionRecord expected, String text) {
        var completion = new WorkCompletion(words);
        assertThat(completion.toRecord()).isEqualTo(expected).hasToString(text);
        assertThat(completion).hasToString(text);
        assertThat(List.of(completion.hasImmediateData(), completion.hasInvalidatedKey(),
                completion.hasGlobalRouteHeader(), completion.isReceive(), completion.isSuccess())).containsExactly(
                        expected.hasImmediateData(), expected.hasInvalidatedKey(), expected.hasGlobalRouteHeader(),
                        expected.isReceive(), expected.isSuccess());
        assertThat(List.of(completion.vendorError(), completion.queuePairNumber(), completion.sourceQueuePairNumber()))
                .containsExactly(
                        expected.vendorError(), expected.queuePairNumber(), expected.sourceQueuePairNumber());
        assertThat(completion.status()).isEqualTo(expected.status());
        assertThat(expected.isReceive()).isEqualTo((expected.opcode().value() & RECEIVE) != 0);
    }

    @Test
    void completionsNameWhatTheyCarry() {
        var words = new Completion();
        assertCompletion(
                words.set(7, 0, SEND, 0, 64, 17),
                new CompletionRecord(
                        7, CompletionStatus.SUCCESS, CompletionOpcode.SEND, 0, 64, false, false, 0, 17, 0, false, 0, 0,
                        0, 0),
                "work request 7 on queue pair 17: SEND, 64 bytes");
        assertCompletion(
                words.set(8, 0, RECEIVE, 0, 65, 17)
                        .carried(Completion.WITH_IMMEDIATE | Completion.GRH, 0xab)
                        .path(18, 1, 2, 3, 4),
                new CompletionRecord(
                        8, CompletionStatus.SUCCESS, CompletionOpcode.RECEIVE, 0, 65, true, false, 0xab, 17, 18, true,
                        1, 2, 3, 4),
                "work request 8 on queue pair 17: RECEIVE, 65 bytes, immediate data 0xab");
        assertCompletion(
                new Completion().set(9, 0, RECEIVE, 0, 0, 17).carried(Completion.WITH_INVALIDATE, 0xcd),
                new CompletionRecord(
                        9, CompletionStatus.SUCCESS, CompletionOpcode.RECEIVE, 0, 0, false, true, 0xcd, 17, 0, false, 0,
                        0, 0, 0),
                "work request 9 on queue pair 17: RECEIVE, 0 bytes, invalidated rkey 0xcd");
        CompletionStatus failed = CompletionStatus.REMOTE_ACCESS_ERROR;
        for (int vendor : new int[]{0, 5}) {
            assertCompletion(
                    new Completion().set(10, failed.value(), 0, vendor, 0, 17),
                    new CompletionRecord(
                            10, failed, new CompletionOpcode(0), vendor, 0, false, false, 0, 17, 0, false, 0, 0, 0, 0),
                    "work request 10 on queue pair 17: REMOTE_ACCESS_ERROR (" + failed.likelyCause() + ")"
                            + (vendor == 0 ? "" : ", vendor error 5"));
        }
    }

    @Test
    void remoteMemoryIsReadFromItsText() {
        var memory = new RemoteMemory(0xfffffffffffffff0L, 16, 0x89abcdef);
        assertThat(memory).hasToString("fffffffffffffff0/16/89abcdef");
        assertThat(RemoteMemory.parse(" " + memory + "\n")).isEqualTo(memory);
        assertThat(RemoteMemory.parse("0/0/0")).isEqualTo(new RemoteMemory(0, 0, 0));
        assertThat(memory.slice(4, 12)).isEqualTo(new RemoteMemory(0xfffffffffffffff4L, 12, 0x89abcdef));
        assertThatThrownBy(() -> memory.slice(5, 12)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatIllegalArgumentException().isThrownBy(() -> RemoteMemory.parse("fffffffffffffff0/17/1"))
                .withMessage("reaches beyond the address space: memory=fffffffffffffff0/17/1");
        assertThatIllegalArgumentException().isThrownBy(() -> new RemoteMemory(0, -1, 0))
                .withMessage("length=-1 is negative");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1/2", "1/2/3/4", "g/2/3", "1/-2/3", "1/2/123456789", "12345678901234567/2/3", "A/2/3"})
    void remoteMemoryOfAnotherFormIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> RemoteMemory.parse(text))
                .withMessage("not a memory (address/length/rkey): memory=" + text);
    }

    @Test
    void timesAreBounded() {
        assertThat(SocketLines.milliseconds(Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo(86_400_000);
        assertThat(SocketLines.milliseconds(Duration.ofSeconds(-5))).isOne();
        assertThat(SocketLines.milliseconds(Duration.ofNanos(2_999_999))).isEqualTo(2);
    }

    /// `IB_FLUSH_*` and `IB_UVERBS_ADVISE_MR_ADVICE_*`, include/uapi/rdma/ib_user_ioctl_verbs.h.
    @Test
    void constantsAreThoseOfTheKernel() {
        assertThat(Arrays.stream(FlushLevel.values()).map(level -> level + "=" + level.value()))
                .containsExactly("RANGE=0", "REGION=1");
        assertThat(Arrays.stream(FlushType.values()).map(type -> type + "=" + type.value()))
                .containsExactly("GLOBAL_VISIBILITY=1", "PERSISTENCE=2");
        assertThat(Arrays.stream(MemoryAdvice.values()).map(advice -> advice + "=" + advice.value()))
                .containsExactly("PREFETCH=0", "PREFETCH_WRITE=1", "PREFETCH_NO_FAULT=2");
    }

    private static InetAddress address(String literal) {
        return InetAddress.ofLiteral(literal);
    }

    private static void assertSelected(Context context, GidSelector selector, String address, String reason) {
        GidSelection selection = selector.select(context, 1);
        assertThat(selection.entry().gid()).isEqualTo(Gid.of(address(address)));
        assertThat(selection.reason()).isEqualTo(reason);
    }

    /// The device has a link-local address at index 0.
    @Test
    void theBestGidIsThatOfTheBestFamilyAndTheLowestIndex() {
        try (SimulatedNetwork network = SimulatedNetwork.inRealTime()) {
            SimulatedHost host = network.addHost("host", KernelProfile.LINUX_6_12);
            SimulatedDevice device = host.addDevice("rxe0");
            device.addAddress(address("fd00::1"));
            device.addAddress(address("10.9.7.1"));
            try (Context context = Devices.of(host).getFirst().open()) {
                GidSelector automatic = GidSelector.automatic();
                String best = "the best GID there: ROCE_V2, ";
                assertSelected(context, automatic, "10.9.0.1", best + "IPv4, index 1");
                assertSelected(context, GidSelector.forInterface("veth0"), "10.9.0.1",
                        "the best GID of interface veth0: ROCE_V2, IPv4, index 1");
                device.removeAddress(address("10.9.0.1"));
                assertSelected(context, automatic, "10.9.7.1", best + "IPv4, index 3");
                device.removeAddress(address("10.9.7.1"));
                assertSelected(context, automatic, "fd00::1", best + "IPv6, index 2");
                device.removeAddress(address("fd00::1"));
                Gid linkLocal = GidSelector.index(0).select(context, 1).entry().gid();
                GidSelection last = automatic.select(context, 1);
                assertThat(last.entry().gid()).isEqualTo(linkLocal);
                assertThat(last.reason()).isEqualTo(best + "link-local, index 0");
                device.removeAddress(linkLocal.toInetAddress());
                assertThatIllegalStateException().isThrownBy(() -> automatic.select(context, 1))
                        .withMessage("port 1 of rxe0 has no GID there; it has none: give its network interface an"
                                + " address");
            }
        }
    }

    /// The selector takes the address with the longest common prefix.
    @ParameterizedTest
    @CsvSource({
            "10.9.0.2, 10.9.0.1, IPv4, 1",
            "fd00:0:0:1::2, fd00:0:0:1::1, IPv6, 3",
            "fd00:0:0:2::2, fd00:0:0:2::1, IPv6, 4",
            "fd00:0:0:2::9, fd00:0:0:2::8, IPv6, 5",
            "fd00:0:0:3::2, fd00:0:0:2::1, IPv6, 4",
    })
    void aNeighbourIsReachedFromTheNearestAddress(String peer, String nearest, String family, int index) {
        try (SimulatedNetwork network = SimulatedNetwork.inRealTime()) {
            SimulatedHost host = network.addHost("host", KernelProfile.LINUX_6_12);
            SimulatedDevice device = host.addDevice("rxe0");
            SimulatedDevice other = host.addDevice("rxe1");
            for (String own : List.of("10.8.0.1", "fd00:0:0:1::1", "fd00:0:0:2::1", "fd00:0:0:2::8")) {
                device.addAddress(address(own));
            }
            if (!peer.equals("10.9.0.2")) {
                other.addAddress(address(peer));
            }
            try (Context context = Devices.of(host).getFirst().open()) {
                assertSelected(context, GidSelector.forPeer(address(peer)), nearest,
                        "nearest to " + address(peer).getHostAddress() + ", an address of this machine: ROCE_V2, "
                                + family + ", index " + index);
            }
        }
    }
}
