// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.cm.BindAddress;
import io.verbs4j.abi.cm.CmEventCode;
import io.verbs4j.abi.cm.CmEventRecord;
import io.verbs4j.abi.cm.CreateIdentifier;
import io.verbs4j.abi.cm.DestroyIdentifier;
import io.verbs4j.abi.cm.GetEvent;
import io.verbs4j.abi.cm.JoinMulticast;
import io.verbs4j.abi.cm.LeaveMulticast;
import io.verbs4j.abi.cm.Listen;
import io.verbs4j.abi.cm.MigrateIdentifier;
import io.verbs4j.abi.cm.ResolveAddress;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.ConnectionParameters;
import io.verbs4j.types.DatagramPath;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Gid;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests identifiers, memberships and channels after refused commands, and the commands that they send.
@Timeout(60)
class RefusedCommandsTest {
    private static final String NO_PORT = "no port of net.ipv4.ip_local_port_range is left in this port space; close"
            + " identifiers, or choose a port";
    private static final String NO_INTERFACE = "no network interface of this network namespace has the address"
            + " 10.9.0.7 (see 'ip address'); use the address of an interface with an RDMA device (rdma link), or a wildcard";
    private static final InetSocketAddress GROUP = address("224.1.2.3", 0);

    private final PlayedConnectionManager kernel = new PlayedConnectionManager();
    private final EventChannel channel = EventChannel.of(kernel);
    private final Identifier identifier = channel.create(PortSpace.UDP);

    /// Otherwise a failed call has left a lock.
    @AfterEach
    void anotherThreadCanUseAndCloseThem() throws Exception {
        kernel.refuse(GetEvent.COMMAND, Errno.EAGAIN);
        kernel.refuse(DestroyIdentifier.COMMAND, 0);
        kernel.waited = 0;
        InThread.PLATFORM.get(() -> {
            if (!channel.isClosed()) {
                channel.await(Duration.ZERO);
            }
            identifier.close();
            return null;
        });
        identifier.close();
    }

    private static InetSocketAddress address(String host, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(host), port);
    }

    private static void assertFails(int errno, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    private static Arguments row(String host, int port, int other, String cause) {
        return Arguments.of(address(host, port), other, cause);
    }

    static Stream<Arguments> addressesThatAreNotAvailable() {
        String taken = "another identifier has port 7471";
        return Stream.of(
                row("10.9.0.7", 0, Errno.EADDRNOTAVAIL, NO_INTERFACE + "; or " + NO_PORT),
                row("0.0.0.0", 0, Errno.EADDRNOTAVAIL, NO_PORT),
                row("0.0.0.0", 7471, Errno.EADDRNOTAVAIL,
                        taken + " at one address, and a wildcard needs it at all addresses; close that one, or use"
                                + " another port or a specific address"),
                row("10.9.0.7", 7471, Errno.EADDRNOTAVAIL, NO_INTERFACE),
                row("10.9.0.7", 7471, 0, taken + " at the wildcard address; close that one, or use another port"),
                row("10.9.0.7", 7471, Errno.ENODEV,
                        taken + " at the wildcard address; close that one, or use another port"));
    }

    /// @param other result of binding another identifier to the address without the port
    @ParameterizedTest
    @MethodSource
    void addressesThatAreNotAvailable(InetSocketAddress asked, int other, String cause) {
        kernel.refuse(BindAddress.COMMAND, Errno.EADDRNOTAVAIL, other);
        assertThatThrownBy(() -> identifier.bind(asked)).isInstanceOf(VerbsException.class)
                .hasMessageEndingWith(Errno.describe(Errno.EADDRNOTAVAIL) + ": " + cause);
        assertThat(kernel.count(DestroyIdentifier.COMMAND))
                .as("the other identifier is destroyed")
                .isEqualTo(kernel.count(CreateIdentifier.COMMAND) - 1);
    }

    @Test
    void anotherRefusalKeepsItsOwnCause() {
        kernel.refuse(BindAddress.COMMAND, Errno.EACCES);
        assertFails(Errno.EACCES, () -> identifier.bind(address("10.9.0.7", 7471)));
        assertThat(kernel.sent()).containsExactly(CreateIdentifier.COMMAND.number(), BindAddress.COMMAND.number());
    }

    @Test
    void theRouteMayHaveNoAddress() {
        kernel.refuse(ResolveAddress.COMMAND, Errno.EADDRNOTAVAIL);
        assertThatThrownBy(
                () -> identifier.resolveAddress(null, address("10.9.0.2", 7471), Duration.ofSeconds(1)))
                .hasMessageEndingWith(
                        ": " + NO_PORT + "; or, over IPv6, the network interface of the route has no source address"
                                + " (see 'ip address')");
    }

    /// `RDMA_OPTION_ID_*`, include/uapi/rdma/rdma_user_cm.h.
    @Test
    void optionsReachTheKernel() {
        Connector.configure(identifier, ConnectionOptions.defaults());
        assertThat(kernel.options).isEmpty();
        Connector.configure(identifier, ConnectionOptions.defaults().withTypeOfService(0).withAcknowledgeTimeout(0));
        Connector.configure(identifier, ConnectionOptions.defaults().withTypeOfService(255));
        Connector.configure(identifier, ConnectionOptions.defaults().withAcknowledgeTimeout(31));
        identifier.setReuseAddress(true);
        identifier.setReuseAddress(false);
        identifier.setAddressFamilyOnly(true);
        identifier.setAddressFamilyOnly(false);
        assertThat(kernel.options).containsExactly(
                "0=0 of 1 bytes", "3=0 of 1 bytes", "0=-1 of 1 bytes", "3=31 of 1 bytes", "1=1 of 4 bytes",
                "1=0 of 4 bytes", "2=1 of 4 bytes", "2=0 of 4 bytes");
    }

    private static Arguments command(int number, Consumer<Identifier> call) {
        return Arguments.of(number, call);
    }

    /// `RDMA_USER_CM_CMD_*`, include/uapi/rdma/rdma_user_cm.h.
    static Stream<Arguments> commands() {
        return Stream.of(
                command(20, id -> id.bind(address("10.9.0.1", 1))),
                command(21, id -> id.resolveAddress(null, address("10.9.0.2", 1), Duration.ofSeconds(1))),
                command(4, id -> id.resolveRoute(Duration.ofSeconds(1))),
                command(7, id -> id.listen(1)),
                command(6, id -> id.connect(parameters(0))),
                command(8, id -> id.accept(parameters(0))),
                command(8, Identifier::confirm),
                command(9, id -> id.reject(PrivateData.NONE)),
                command(10, Identifier::disconnect),
                command(15, Identifier::notifyEstablished),
                command(19, Identifier::gids),
                command(19, Identifier::paths),
                command(19, Identifier::addresses),
                command(14, id -> id.setReuseAddress(true)),
                command(22, id -> id.join(GROUP, false)));
    }

    @ParameterizedTest
    @MethodSource
    void commands(int number, Consumer<Identifier> call) {
        kernel.commands.clear();
        call.accept(identifier);
        assertThat(kernel.sent()).containsExactly(number);
        kernel.refuse(number, Errno.ENOMEM);
        assertFails(Errno.ENOMEM, () -> call.accept(identifier));
        channel.close();
        assertThat(identifier.isClosed()).isTrue();
        kernel.commands.clear();
        assertThatIllegalStateException().isThrownBy(() -> call.accept(identifier))
                .withMessage("event channel -1 is closed");
        assertThat(kernel.sent()).isEmpty();
    }

    private static Arguments limits(int min, int max, String name, BiConsumer<Identifier, Integer> setter) {
        return Arguments.of(min, max, name, setter);
    }

    static Stream<Arguments> limits() {
        return Stream.of(
                limits(0, 255, "value", Identifier::setTypeOfService),
                limits(0, 31, "exponent", Identifier::setAcknowledgeTimeout),
                limits(0, Integer.MAX_VALUE, "backlog", Identifier::listen),
                limits(0, 180, "privateData.size", (id, size) -> id.connect(parameters(size))),
                limits(0, 136, "privateData.size", (id, size) -> id.accept(parameters(size))),
                limits(0, 136, "privateData.size", (id, size) -> id.reject(PrivateData.of(new byte[size]))));
    }

    private static ConnectionParameters parameters(int privateBytes) {
        return ConnectionParameters.DEFAULT.withPrivateData(PrivateData.of(new byte[privateBytes]));
    }

    /// The limits of connections, whose identifier has no device here.
    @Test
    void privateDataOfConnectionsHasItsOwnLimits() {
        Identifier connection = channel.create(PortSpace.TCP);
        connection.connect(parameters(56));
        connection.accept(parameters(196));
        connection.reject(PrivateData.of(new byte[148]));
        assertTooLong(56, () -> connection.connect(parameters(57)));
        assertTooLong(196, () -> connection.accept(parameters(197)));
        assertTooLong(148, () -> connection.reject(PrivateData.of(new byte[149])));
        assertTooLong(180, () -> identifier.connect(parameters(181)));
        assertTooLong(136, () -> identifier.accept(parameters(137)));
        assertTooLong(136, () -> identifier.reject(PrivateData.of(new byte[137])));
    }

    private static void assertTooLong(int limit, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "privateData.size=" + (limit + 1) + " exceeds the message's limit of " + limit + " bytes");
    }

    @ParameterizedTest
    @MethodSource("limits")
    void eachArgumentHasItsLimits(int min, int max, String name, BiConsumer<Identifier, Integer> setter) {
        setter.accept(identifier, min);
        setter.accept(identifier, max);
        int commands = kernel.sent().size();
        IntStream.of(min - 1, max + 1)
                .filter(wrong -> !name.startsWith("private") || wrong > 0)
                .forEach(wrong -> assertThatThrownBy(() -> setter.accept(identifier, wrong))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageStartingWith(name + "=" + wrong + " "));
        assertThat(kernel.sent()).hasSize(commands);
    }

    @Test
    void anIdentifierThatTheKernelKeepsStaysOpen() {
        kernel.refuse(DestroyIdentifier.COMMAND, Errno.EINVAL, Errno.EBADF);
        assertFails(Errno.EINVAL, identifier::close);
        assertThat(identifier.isClosed()).isFalse();
        identifier.close(); // the file is closed, and the identifier with it
        assertThat(identifier.isClosed()).isTrue();
        identifier.close();
        assertThat(kernel.sent()).containsExactly(0, 1, 1);
        assertThatIllegalStateException().isThrownBy(() -> identifier.listen(1)).withMessage(identifier + " is closed");
    }

    @Test
    void aMembershipThatIsGoneIsLeft() {
        for (int errno : new int[]{0, Errno.ENOENT, Errno.EBADF}) {
            kernel.refuse(LeaveMulticast.COMMAND, errno);
            Membership membership = identifier.join(GROUP, true);
            membership.close();
            membership.close();
        }
        assertThat(kernel.groupsLeft()).containsExactly(0, 0, 0);
        kernel.refuse(LeaveMulticast.COMMAND, Errno.EINVAL);
        assertFails(Errno.EINVAL, identifier.join(GROUP, false)::close);
        Membership left = identifier.join(GROUP, false);
        identifier.close();
        left.close();
        assertThat(kernel.count(LeaveMulticast.COMMAND)).isEqualTo(4);
    }

    /// The event of a join may arrive before the kernel's answer, which has the number of the membership.
    @Test
    void aMembershipThatIsClosedDuringItsJoinIsLeft() throws Exception {
        List<InThread.Started<?>> closing = new ArrayList<>();
        kernel.join(() -> {
            var joined = (CmEvent.MulticastFailed) channel.poll().orElseThrow();
            var close = InThread.PLATFORM.start(Executors.callable(joined.membership()::close));
            closing.add(close);
            Eventually.until(() -> close.isDone() || close.isWaiting(), () -> "the close neither ends nor waits");
        });
        identifier.join(GROUP, true);
        closing.getFirst().result();
        assertThat(kernel.groupsLeft()).containsExactly(0);
    }

    /// The kernel counts milliseconds, and refuses a timeout of 0 for a route.
    @Test
    void timeoutsMayBeShorterOrLongerThanTheKernelCounts() {
        InetSocketAddress peer = address("10.9.0.2", 7471);
        Duration unlimited = ChronoUnit.FOREVER.getDuration();
        identifier.resolveAddress(null, peer, unlimited);
        identifier.resolveAddress(null, peer, Duration.ofNanos(500_000));
        identifier.resolveRoute(unlimited);
        identifier.resolveRoute(Duration.ofNanos(500_000));
        assertThat(kernel.timeouts()).containsExactly(Integer.MAX_VALUE, 0, Integer.MAX_VALUE, 1);
    }

    @Test
    void aNegativeTimeoutIsRefused() {
        InetSocketAddress peer = address("10.9.0.2", 7471);
        Duration negative = Duration.ofMillis(-1);
        assertThatThrownBy(() -> identifier.resolveAddress(null, peer, negative))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("timeout=PT-0.001S is negative");
        assertThatThrownBy(() -> identifier.resolveRoute(negative))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("timeout=PT-0.001S is negative");
        assertThat(kernel.timeouts()).isEmpty();
    }

    @Test
    void aJoinThatIsRefusedLeavesNothing() {
        kernel.refuse(JoinMulticast.COMMAND, Errno.ENOTSUPP);
        assertFails(Errno.ENOTSUPP, () -> identifier.join(GROUP, false));
        identifier.close();
        assertThat(kernel.count(LeaveMulticast.COMMAND)).isZero();
    }

    @Test
    void aRefusedMigrationLeavesTheIdentifierWhereItWas() {
        var other = new PlayedConnectionManager();
        EventChannel to = EventChannel.of(other);
        other.refuse(MigrateIdentifier.COMMAND, Errno.EINVAL, 0);
        assertFails(Errno.EINVAL, () -> identifier.migrate(to));
        assertThat(identifier.channel()).isSameAs(channel);
        identifier.migrate(to);
        assertThat(identifier.channel()).isSameAs(to);
        identifier.listen(1);
        assertThat(other.sent()).containsExactly(
                MigrateIdentifier.COMMAND.number(), MigrateIdentifier.COMMAND.number(), Listen.COMMAND.number());
        to.close();
        assertThat(other.isClosed()).isTrue();
        assertThat(identifier.isClosed()).isTrue();
        assertThatIllegalStateException().isThrownBy(() -> identifier.migrate(channel)).withMessage(to + " is closed");
    }

    /// Otherwise the channel would drop the events of the identifier.
    @Test
    void anIdentifierMayMigrateToItsOwnChannel() {
        identifier.migrate(channel);
        kernel.answer(ResolveAddress.COMMAND, CmEventCode.ADDR_RESOLVED, Duration.ZERO);
        identifier.resolveAddress(null, address("10.9.0.2", 7471), Duration.ofSeconds(1));
        assertThat(channel.poll()).contains(new CmEvent.AddressResolved(identifier));
    }

    @Test
    void aWaitEndsAsTheFileDoes() throws InterruptedException {
        kernel.refuse(GetEvent.COMMAND, Errno.EAGAIN);
        assertThat(channel.poll()).isEmpty();
        assertThat(channel.await()).as("woken").isEmpty();
        assertThat(channel.await(Duration.ofSeconds(1))).isEmpty();
        kernel.waited = -Errno.EINTR;
        assertThat(channel.await()).isEmpty();
        kernel.waited = -Errno.EIO;
        assertFails(Errno.EIO, channel::await);
        assertFails(Errno.EIO, () -> channel.await(Duration.ofSeconds(1)));
        Thread.currentThread().interrupt();
        assertThatThrownBy(channel::await).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
        channel.wake();
        assertThat(kernel.wakes).isOne();
        kernel.refuse(GetEvent.COMMAND, Errno.EBADF, Errno.EAGAIN);
        assertFails(Errno.EBADF, channel::poll);
        assertThat(channel.isClosed()).isFalse();
        channel.close();
        assertThat(channel.isClosed()).isTrue();
        assertThat(channel.fileDescriptor()).isEqualTo(-1);
        assertThatIllegalStateException().isThrownBy(() -> channel.create(PortSpace.TCP))
                .withMessage("event channel -1 is closed");
        assertThatIllegalStateException().isThrownBy(channel::poll).withMessage("event channel -1 is closed");
        assertThat(channel.closedInstead(new VerbsException("poll", Errno.EBADF, "")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("event channel -1 is closed");
        assertFails(Errno.EIO, () -> {
            throw channel.closedInstead(new VerbsException("poll", Errno.EIO, ""));
        });
    }

    /// Otherwise the identifier that the request created would leak.
    @Test
    void aRequestOfAClosedListenerIsDestroyed() {
        for (CmEventCode code : CmEventCode.values()) {
            kernel.commands.clear();
            kernel.event = code.number();
            kernel.refuse(GetEvent.COMMAND, 0, Errno.EAGAIN);
            assertThat(channel.poll()).as("an event of no identifier").isEmpty();
            assertThat(kernel.sent().contains(DestroyIdentifier.COMMAND.number()))
                    .isEqualTo(code == CmEventCode.CONNECT_REQUEST);
        }
    }

    private static CmEventRecord joined(CmEventCode code, int status, @Nullable DatagramPath path) {
        return new CmEventRecord(
                1, 2, code.number(), status, ConnectionParameters.DEFAULT, path, PrivateData.NONE, 3);
    }

    @Test
    void eventsOfMembershipsAreJoinsFailuresOrOthers() {
        var path = new DatagramPath(
                5, 6, AddressVector.roce(1, 1, Gid.of(GROUP.getAddress())), PrivateData.NONE);
        Membership membership = identifier.join(GROUP, true);
        CmEventCode join = CmEventCode.MULTICAST_JOIN;
        CmEventCode error = CmEventCode.MULTICAST_ERROR;
        assertThat(List.of(
                EventTranslation.of(joined(join, 0, path), membership),
                EventTranslation.of(joined(join, 0, null), membership),
                EventTranslation.of(joined(join, -5, path), membership),
                EventTranslation.of(joined(error, -6, path), membership),
                EventTranslation.of(joined(CmEventCode.ADDR_CHANGE, -7, path), membership))).containsExactly(
                        new CmEvent.MulticastJoined(identifier, membership, path),
                        new CmEvent.MulticastFailed(identifier, membership, 0),
                        new CmEvent.MulticastFailed(identifier, membership, -5),
                        new CmEvent.MulticastFailed(identifier, membership, -6),
                        new CmEvent.OtherEvent(identifier, CmEventCode.ADDR_CHANGE.number(), -7));
    }

    @Test
    void attributesOfDatagramsAreThoseOfTheRequestedState() {
        QueuePairAttributes answer = QueuePairAttributes.builder()
                .state(QueuePairState.INIT)
                .pkeyIndex(3)
                .port(2)
                .qkey(77)
                .accessFlags(1)
                .build();
        assertThat(AttributeRepairs.repaired(answer, QueuePairType.UD, QueuePairState.INIT)).isEqualTo(
                QueuePairAttributes.builder().state(QueuePairState.INIT).pkeyIndex(3).port(2).qkey(77).build());
        assertThat(AttributeRepairs.repaired(answer, QueuePairType.UD, QueuePairState.RTR))
                .isEqualTo(QueuePairAttributes.builder().state(QueuePairState.RTR).build());
        assertThat(AttributeRepairs.repaired(answer, QueuePairType.UD, QueuePairState.RTS))
                .isEqualTo(QueuePairAttributes.builder().state(QueuePairState.RTS).sendPsn(0).build());
        assertThat(AttributeRepairs.repaired(answer, QueuePairType.RC, QueuePairState.INIT)).isSameAs(answer);
    }

    @Test
    void attributesOfConnectionsGetAnRnrTimerOnlyInPlaceOf0() {
        QueuePairAttributes.Builder rest = QueuePairAttributes.builder()
                .state(QueuePairState.RTR)
                .receivePsn(11)
                .destinationQueuePairNumber(12)
                .maxDestinationReadAtomic(13)
                .addressVector(AddressVector.roce(1, 1, Gid.of(GROUP.getAddress())))
                .pathMtu(Mtu.MTU_1024);
        QueuePairAttributes kept = rest.minRnrTimer(1).build();
        assertThat(AttributeRepairs.repaired(kept, QueuePairType.RC, QueuePairState.RTR)).isSameAs(kept);
        assertThat(AttributeRepairs.repaired(rest.minRnrTimer(0).build(), QueuePairType.RC, QueuePairState.RTR))
                .isEqualTo(rest.minRnrTimer(12).build());
        assertThat(AttributeRepairs.COMMUNICATION_ESTABLISHED).as("IB_EVENT_COMM_EST").isEqualTo(4);
    }
}
