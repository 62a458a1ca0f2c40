// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Devices;
import io.verbs4j.GlobalRouteHeader;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.abi.cm.GetEvent;
import io.verbs4j.abi.datagram.AttachMulticast;
import io.verbs4j.abi.datagram.CreateAddressHandle;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.host.Host;
import io.verbs4j.simulator.SimulatedHost;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.FileCalls;
import io.verbs4j.tests.support.Forwarding;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.types.Access;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The groups and answers of a port.
@Timeout(60)
class DatagramPortTest {
    private static final InetAddress GROUP = InetAddress.ofLiteral("239.9.8.2");
    private static final ConnectionOptions OPTIONS = ConnectionOptions.defaults().withTimeout(Duration.ofSeconds(20));
    private static final int BYTES = GlobalRouteHeader.BYTES + 8;

    private final SimulatedNetwork network = SimulatedNetwork.inRealTime();
    private final SimulatedHost host = network.addHost("test", KernelProfile.LINUX_6_12);
    private volatile Class<?> command = Void.class;
    private volatile @Nullable DatagramPort closed;
    private volatile InThread.@Nullable Started<?> closing;
    /// No thread takes an event before this.
    private volatile @Nullable CountDownLatch withheld;
    private final Host.Replacement replacement = Host.replaceCurrent(observed());

    DatagramPortTest() {
        host.addDevice("rxe0");
        host.addDevice("rxe1");
    }

    @AfterEach
    void end() {
        replacement.close();
        network.close();
    }

    /// Returns the host. After the next `command`, another thread closes the port `closed`.
    private Host observed() {
        return Forwarding.of(Host.class, (_, method, arguments) -> {
            Object result = Forwarding.pass(host, method, arguments);
            return result instanceof DeviceFile file ? FileCalls.of(file, this::take) : result;
        });
    }

    private Object take(FileCalls.Call call) throws Throwable {
        CountDownLatch answer = withheld;
        if (answer != null && call.isCommand() && isIn(GetEvent.class)) {
            answer.await();
        }
        Object result = call.pass();
        DatagramPort port = closed;
        if (port != null && call.isCommand() && isIn(command)) {
            closed = null;
            var close = InThread.PLATFORM.start(Executors.callable(port::close));
            Eventually.until(() -> close.isDone() || close.isWaiting(), () -> "the close neither ends nor waits");
            closing = close;
        }
        return result;
    }

    private static boolean isIn(Class<?> type) {
        return StackWalker.getInstance()
                .walk(frames -> frames.map(StackWalker.StackFrame::getClassName)
                        .anyMatch(type.getName()::equals));
    }

    private static DatagramPort port(String address) {
        return DatagramPort.open(new InetSocketAddress(address, 0), OPTIONS);
    }

    @Test
    void anAnswerThatIsTooLongIsRefused() {
        try (var port = port("10.9.0.1")) {
            assertThatThrownBy(() -> port.serve(PrivateData.of(new byte[137])))
                    .isInstanceOf(IllegalArgumentException.class);
            port.serve(PrivateData.of(new byte[136]));
        }
    }

    @Test
    void aPortThatServesAlreadyKeepsItsAnswer() throws Exception {
        try (var port = port("10.9.0.1")) {
            port.serve(PrivateData.of(new byte[]{1}));
            assertThatThrownBy(() -> port.serve(PrivateData.of(new byte[]{2})))
                    .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
            try (var peer = DatagramPort.connect(port.localAddress(), OPTIONS)) {
                assertThat(peer.privateData().bytes()).startsWith(1);
            }
        }
    }

    @Test
    void aGroupThatWasJoinedTwiceIsReceivedUntilBothMembershipsEnd() throws Exception {
        try (var member = port("10.9.0.1"); var sender = port("10.9.0.2")) {
            MulticastGroup first = member.join(GROUP);
            MulticastGroup second = member.join(GROUP);
            MulticastGroup sending = member.join(GROUP, true);
            first.close();
            assertReceives(member, sender);
            second.close();
            assertThatThrownBy(() -> member.queuePair().detachMulticast(sending.gid()))
                    .as("the queue pair has left the group")
                    .isInstanceOf(VerbsException.class);
            sending.close();
        }
    }

    private static void assertReceives(DatagramPort member, DatagramPort sender) throws InterruptedException {
        MemoryRegion received = member.protectionDomain().allocate(BYTES, Access.LOCAL_WRITE);
        MemoryRegion sent = sender.protectionDomain().allocate(8);
        try (var batch = member.queuePair().beginReceive()) {
            batch.workRequestId(1).receive(received, 0, BYTES);
            batch.submit();
        }
        try (var group = sender.join(GROUP, true); var batch = sender.queuePair().beginSend()) {
            group.destination().address(batch).send().local(sent, 0, 8).post();
            batch.submit();
        }
        var ids = new ArrayList<Long>();
        member.completionQueue().await(1, completion -> ids.add(completion.workRequestId()), Duration.ofSeconds(5));
        assertThat(ids).containsExactly(1L);
    }

    /// Otherwise the group's address handle and the network interface's membership would remain.
    @Test
    void aGroupThatIsJoinedDuringTheCloseOfThePortIsLeft() throws Exception {
        joinAndClose(AttachMulticast.class, port -> port.join(GROUP));
        joinAndClose(
                CreateAddressHandle.class,
                port -> assertThatThrownBy(() -> port.join(GROUP, true))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage(port + " is closed"));
    }

    @Test
    void aJoinWithoutAnAnswerEndsWithThePort() throws Exception {
        DatagramPort port = port("10.9.0.1");
        var answer = new CountDownLatch(1);
        withheld = answer;
        var join = InThread.PLATFORM.start(() -> port.join(GROUP));
        Eventually.until(join::isWaiting, () -> "the join does not wait");
        port.close();
        assertThat(join.failure()).isInstanceOf(IllegalStateException.class).hasMessageEndingWith(" is closed");
        answer.countDown();
    }

    private interface Joining {
        void join(DatagramPort port) throws Exception;
    }

    /// @param during the port is closed after this command of the join
    private void joinAndClose(Class<?> during, Joining joining) throws Exception {
        try (var context = Devices.of(Host.current()).getFirst().open()) {
            ProtectionDomain domain = context.allocateProtectionDomain();
            var port = DatagramPort.open(
                    new InetSocketAddress("10.9.0.1", 0), OPTIONS.withProtectionDomain(domain));
            command = during;
            closed = port;
            joining.join(port);
            Objects.requireNonNull(closing).result();
            domain.close(); // throws if an address handle uses the domain
        }
    }
}
