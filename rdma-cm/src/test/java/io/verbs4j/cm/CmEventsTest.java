// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.types.DeviceGoneException;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.VerbsException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Compares the numbers and the whole texts of all events, rejections and failures.
class CmEventsTest {
    private static final String NEIGHBOUR =
            "the neighbour did not answer in time; check that the host is up and on this network, and that its"
                    + " interface answers (ip neighbour)";
    private static final String NO_ROUTE = "there is no route to the address (ip route get)";
    private static final String SILENT =
            "the peer's connection manager does not answer; check that the host has an RDMA device with this address,"
                    + " that UDP port 4791 is open on the path, and that the server takes its requests in time";
    private static final PrivateData DATA = PrivateData.of(new byte[]{1, 2});
    private static final InetSocketAddress GROUP = new InetSocketAddress(InetAddress.ofLiteral("224.1.2.3"), 0);

    private static final EventChannel CHANNEL = EventChannel.of((DeviceFile) Proxy.newProxyInstance(
            DeviceFile.class.getClassLoader(), new Class<?>[]{DeviceFile.class}, (_, method, _) -> {
                throw new AssertionError(method);
            }));
    private static final Identifier IDENTIFIER =
            new Identifier(CHANNEL, 1, 2, PortSpace.TCP, QueuePairType.RC);
    private static final Membership MEMBERSHIP = new Membership(IDENTIFIER, GROUP, 3, null);

    private static String error(int errno, String cause) {
        return Errno.describe(errno) + (cause.isEmpty() ? "" : ": " + cause);
    }

    /// Returns a row whose failure has the event's explanation.
    private static Arguments row(CmEvent event, int errno, String cause) {
        return Arguments.of(event, error(errno, cause), errno, error(errno, cause));
    }

    /// Returns a row whose failure has another error number or explanation.
    private static Arguments row(CmEvent event, String explanation, int errno, String failure) {
        return Arguments.of(event, explanation, errno, error(errno, failure));
    }

    static Stream<Arguments> failures() {
        return Stream.of(
                row(new CmEvent.AddressFailed(IDENTIFIER, -Errno.ETIMEDOUT), Errno.ETIMEDOUT, NEIGHBOUR),
                row(new CmEvent.AddressFailed(IDENTIFIER, -Errno.EHOSTUNREACH), Errno.EHOSTUNREACH, NO_ROUTE),
                row(new CmEvent.AddressFailed(IDENTIFIER, -Errno.ENETUNREACH), Errno.ENETUNREACH, NO_ROUTE),
                row(new CmEvent.AddressFailed(IDENTIFIER, -Errno.EADDRNOTAVAIL), Errno.EADDRNOTAVAIL,
                        "no network interface has the source address, or the interface of the route has no address"
                                + " (see 'ip address')"),
                row(new CmEvent.AddressFailed(IDENTIFIER, -Errno.EINVAL), Errno.EINVAL, ""),
                row(new CmEvent.RouteFailed(IDENTIFIER, -Errno.ETIMEDOUT), Errno.ETIMEDOUT, NEIGHBOUR),
                row(new CmEvent.RouteFailed(IDENTIFIER, -Errno.ENODEV), Errno.ENODEV,
                        "no RDMA device is on the route to the address; ip route get shows the interface of the"
                                + " route, and rdma link shows the interfaces with a device"),
                row(new CmEvent.ConnectFailed(IDENTIFIER, -Errno.ETIMEDOUT), Errno.ETIMEDOUT, ""),
                row(new CmEvent.Unreachable(IDENTIFIER, -Errno.ETIMEDOUT), Errno.ETIMEDOUT, SILENT),
                row(new CmEvent.Unreachable(IDENTIFIER, -Errno.EINVAL), Errno.EINVAL, ""),
                row(new CmEvent.MulticastFailed(IDENTIFIER, MEMBERSHIP, -Errno.ENETUNREACH),
                        error(Errno.ENETUNREACH, ""), Errno.ENETUNREACH, "the group could not be joined"),
                row(new CmEvent.Disconnected(IDENTIFIER, 0), "", Errno.ECONNRESET,
                        "the peer ended the connection while it was being established"),
                row(new CmEvent.Disconnected(IDENTIFIER, -Errno.ETIMEDOUT),
                        error(Errno.ETIMEDOUT, "the peer did not answer the disconnect request"), Errno.ECONNRESET,
                        "the peer ended the connection while it was being established"),
                row(new CmEvent.Disconnected(IDENTIFIER, -Errno.EINVAL), error(Errno.EINVAL, ""), Errno.ECONNRESET,
                        "the peer ended the connection while it was being established"),
                row(new CmEvent.DeviceRemoved(IDENTIFIER), "", Errno.ENODEV, "the RDMA device is being removed"),
                row(new CmEvent.Rejected(IDENTIFIER, -Errno.ECONNREFUSED, DATA),
                        "the peer rejected the request, or has no listener on this port", Errno.ECONNREFUSED,
                        "the peer rejected the request, or has no listener on this port"),
                row(new CmEvent.Rejected(IDENTIFIER, 16, DATA), "reason 16: the peer rejects the hop limit",
                        Errno.ECONNREFUSED, "reason 16: the peer rejects the hop limit"),
                row(new CmEvent.Rejected(IDENTIFIER, 34, DATA), "reason 34", Errno.ECONNREFUSED, "reason 34"),
                row(new CmEvent.Rejected(IDENTIFIER, 0, DATA), "reason 0", Errno.ECONNREFUSED, "reason 0"),
                row(new CmEvent.Unreachable(IDENTIFIER, 3), "reason 1: the peer has no queue pair left",
                        Errno.ECONNREFUSED, "reason 1: the peer has no queue pair left"));
    }

    @ParameterizedTest
    @MethodSource
    void failures(CmEvent event, String explanation, int errno, String failure) {
        assertThat(event.explanation()).isEqualTo(explanation);
        VerbsException expected = Objects.requireNonNull(CmFailures.of("connect", event));
        assertThat(expected).hasMessage("connect failed: " + failure);
        assertThat(expected).satisfies(e -> {
            assertThat(e.errno()).isEqualTo(errno);
            assertThat(e.operation()).isEqualTo("connect");
            assertThat(e instanceof DeviceGoneException).isEqualTo(errno == Errno.ENODEV);
            assertThat(e instanceof ConnectionRejectedException).isEqualTo(errno == Errno.ECONNREFUSED);
        });
        assertThat(CmFailures.required("connect", event)).hasMessage("connect failed: " + failure)
                .hasSameClassAs(expected);
    }

    @Test
    void anEventThatIsNoFailureIsUnexpected() {
        for (CmEvent event : List.of(
                new CmEvent.AddressResolved(IDENTIFIER), new CmEvent.RouteResolved(IDENTIFIER),
                new CmEvent.AddressChanged(IDENTIFIER), new CmEvent.TimewaitExited(IDENTIFIER),
                new CmEvent.UserEvent(IDENTIFIER, -5, 6), new CmEvent.OtherEvent(IDENTIFIER, 98, -5))) {
            assertThat(event.explanation()).isEmpty();
            assertThat(CmFailures.of("connect", event)).isNull();
            assertThat(CmFailures.required("connect", event)).isInstanceOf(IllegalStateException.class)
                    .hasMessage("connect: unexpected event " + event);
        }
    }

    @Test
    void aMembershipHasItsIdentifierGroupAndName() {
        var failed = new CmEvent.MulticastFailed(IDENTIFIER, MEMBERSHIP, -Errno.EINVAL);
        assertThat(failed.identifier()).isSameAs(IDENTIFIER);
        assertThat(failed.membership()).isSameAs(MEMBERSHIP);
        assertThat(MEMBERSHIP.identifier()).isSameAs(IDENTIFIER);
        assertThat(MEMBERSHIP.group()).isEqualTo(GROUP);
        assertThat(MEMBERSHIP.name()).isEqualTo(3);
        assertThat(MEMBERSHIP).hasToString("membership of TCP identifier 1 in 224.1.2.3");
    }

    @Test
    void aTimeoutNamesItsMilliseconds() {
        VerbsException timeout = CmFailures.timeout("join", Duration.ofMillis(1500), "no answer");
        assertThat(timeout).hasMessage("join failed: " + error(Errno.ETIMEDOUT, "not done after 1500 ms; no answer"));
        assertThat(timeout.errno()).isEqualTo(Errno.ETIMEDOUT);
        assertThat(CmFailures.timeout("join", ChronoUnit.FOREVER.getDuration(), "no answer"))
                .hasMessageEndingWith(": not done after " + Long.MAX_VALUE + " ms; no answer");
    }

    /// IBA vol. 1, table 115.
    @Test
    void reasonsHaveTheNumbersOfTheSpecification() {
        assertThat(Arrays.stream(RejectReason.values()).map(Enum::name)).containsExactly(
                "NO_QUEUE_PAIR", "NO_END_TO_END_CONTEXT", "NO_RESOURCES", "TIMEOUT", "UNSUPPORTED_REQUEST",
                "INVALID_COMMUNICATION_ID", "INVALID_COMMUNICATION_INSTANCE", "NO_LISTENER", "INVALID_TRANSPORT",
                "STALE_CONNECTION", "NO_DATAGRAM_CHANNEL", "GID", "LID", "SERVICE_LEVEL", "TRAFFIC_CLASS",
                "HOP_LIMIT", "PACKET_RATE", "ALTERNATE_GID", "ALTERNATE_LID", "ALTERNATE_SERVICE_LEVEL",
                "ALTERNATE_TRAFFIC_CLASS", "ALTERNATE_HOP_LIMIT", "ALTERNATE_PACKET_RATE", "PORT_AND_CM_REDIRECT",
                "PORT_REDIRECT", "PATH_MTU", "INSUFFICIENT_RESPONDER_RESOURCES", "BY_PEER", "RNR_RETRY",
                "DUPLICATE_COMMUNICATION_ID", "CLASS_VERSION", "FLOW_LABEL", "ALTERNATE_FLOW_LABEL");
        assertThat(Arrays.stream(RejectReason.values()).map(RejectReason::number))
                .isEqualTo(IntStream.rangeClosed(1, 33).boxed().toList());
        for (RejectReason reason : RejectReason.values()) {
            assertThat(RejectReason.of(reason.number())).contains(reason);
            assertThat(CmStatus.rejection(reason.number()))
                    .isEqualTo("reason " + reason.number() + ": " + reason.explanation());
        }
        assertThat(RejectReason.of(0)).isEmpty();
        assertThat(RejectReason.of(34)).isEmpty();
    }

    /// `enum ib_cm_sidr_status`, include/rdma/ib_cm.h.
    @Test
    void refusalsOfDatagramsAreReasons() {
        assertThat(IntStream.rangeClosed(1, 6).map(CmStatus::refusedDatagrams)).containsExactly(8, 28, 1, 25, 31, 6);
    }

    @Test
    void aRejectionHasThePeersStatusAndData() {
        var rejected = (ConnectionRejectedException) CmFailures
                .required("connect", new CmEvent.Rejected(IDENTIFIER, 28, DATA));
        assertThat(rejected.status()).isEqualTo(28);
        assertThat(rejected.reason()).contains(RejectReason.BY_PEER);
        assertThat(rejected.privateData()).isEqualTo(DATA);
        var overIwarp = new ConnectionRejectedException("connect", -Errno.ECONNRESET, DATA, "why");
        assertThat(overIwarp.errno()).isEqualTo(Errno.ECONNRESET);
        assertThat(overIwarp.status()).isEqualTo(-Errno.ECONNRESET);
        assertThat(overIwarp.reason()).isEmpty();
        assertThat(overIwarp).hasMessage("connect failed: " + error(Errno.ECONNRESET, "why"));
    }

    /// IBA vol. 1, 12.6 and 12.11; without the IP header of 36 bytes in requests.
    @Test
    void privateDataIsLimitedByItsMessage() {
        assertThat(List.of(
                PrivateDataLimits.CONNECT, PrivateDataLimits.ACCEPT, PrivateDataLimits.REJECT,
                PrivateDataLimits.DATAGRAM_CONNECT, PrivateDataLimits.DATAGRAM_ACCEPT,
                PrivateDataLimits.DATAGRAM_REJECT)).containsExactly(92 - 36, 196, 148, 216 - 36, 136, 136);
        assertThat(RdmaConnection.MAXIMUM_OFFER.responderResources()).isEqualTo(255);
        assertThat(RdmaConnection.MAXIMUM_OFFER.initiatorDepth()).isEqualTo(255);
    }

    @Test
    void addressesAreTextsWithoutNames() throws UnknownHostException {
        byte[] loopback6 = new byte[16];
        loopback6[15] = 1;
        assertThat(Addresses.text(null)).isEqualTo("unknown");
        assertThat(Addresses.text(new InetSocketAddress(InetAddress.getByAddress("a.name", loopback6), 7)))
                .isEqualTo("[0:0:0:0:0:0:0:1]:7");
        assertThat(Addresses.text(
                new InetSocketAddress(InetAddress.getByAddress("a.name", new byte[]{10, 9, 0, 2}), 8)))
                .isEqualTo("10.9.0.2:8");
        assertThat(Addresses.text(InetSocketAddress.createUnresolved("some.host", 9))).isEqualTo("some.host:9");
        assertThat(Addresses.present(GROUP)).isSameAs(GROUP);
        @Nullable InetSocketAddress none = null;
        assertThatThrownBy(() -> Addresses.present(none)).isInstanceOf(IllegalStateException.class)
                .hasMessage("the identifier has no such address");
    }
}
