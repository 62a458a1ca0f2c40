// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.cm.BindAddress;
import io.verbs4j.abi.cm.CmDevice;
import io.verbs4j.abi.cm.CreateIdentifier;
import io.verbs4j.abi.cm.DestroyIdentifier;
import io.verbs4j.abi.cm.InitQueuePairAttributes;
import io.verbs4j.abi.cm.JoinMulticast;
import io.verbs4j.abi.cm.MigrateIdentifier;
import io.verbs4j.abi.cm.Notify;
import io.verbs4j.abi.cm.QueryAddresses;
import io.verbs4j.abi.cm.SetOption;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.RdmaUcmCmd;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PortSpace;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Requests to the connection manager that the library never sends. The simulated one refuses them as Linux does
/// (`ucma_write` and the functions of its table, drivers/infiniband/core/ucma.c).
class RefusedConnectionRequestsTest {
    private static final int GET_OPTION = 13;
    private static final int ROOM = 400;

    private final Arena arena = Arena.ofShared();
    private final SimulatedNetwork network = SimulatedNetwork.inVirtualTime(7);
    private final DeviceFile file;
    private final int identifier;

    RefusedConnectionRequestsTest() {
        var host = network.addHost("host", KernelProfile.LINUX_7_2);
        host.addDevice("rxe0");
        file = host.openNonBlocking(CmDevice.NODE);
        identifier = CreateIdentifier.execute(file, 1, PortSpace.TCP, PortSpace.TCP.queuePairType());
    }

    @AfterEach
    void close() {
        file.close();
        network.close();
        arena.close();
    }

    /// Ports are chosen in turn from those of `net.ipv4.ip_local_port_range`, except those that are taken in the same
    /// port space.
    @Test
    void portsAreChosenInTurn() {
        int first = 32_768;
        int last = 60_999;
        assertThat(chosenPort(identifier)).isEqualTo(first);
        for (int port = first + 1; port <= last; port++) {
            int id = CreateIdentifier.execute(file, 1, PortSpace.TCP, PortSpace.TCP.queuePairType());
            BindAddress.execute(file, id, new InetSocketAddress("10.9.0.1", 0));
            DestroyIdentifier.execute(file, id);
        }
        int next = CreateIdentifier.execute(file, 1, PortSpace.TCP, PortSpace.TCP.queuePairType());
        assertThat(chosenPort(next)).isEqualTo(first + 1);
        int datagrams = CreateIdentifier.execute(file, 1, PortSpace.UDP, PortSpace.UDP.queuePairType());
        assertThat(chosenPort(datagrams)).isEqualTo(first + 2);
    }

    private int chosenPort(int id) {
        BindAddress.execute(file, id, new InetSocketAddress("10.9.0.1", 0));
        return QueryAddresses.execute(file, id).local().getPort();
    }

    private int head(int command, int in, int out, int bytes) {
        MemorySegment message = arena.allocate(8 + bytes, 8);
        message.set(ValueLayout.JAVA_INT, 0, command);
        message.set(ValueLayout.JAVA_SHORT, 4, (short) in);
        message.set(ValueLayout.JAVA_SHORT, 6, (short) out);
        return file.write(message);
    }

    /// Sends a request.
    ///
    /// @return 0 if it is accepted, or a negated errno
    private int send(RdmaUcmCmd command, int out, Consumer<CView> fill) {
        int size = command.request().size();
        MemorySegment message = arena.allocate(8 + size, 8);
        message.set(ValueLayout.JAVA_INT, 0, command.number());
        message.set(ValueLayout.JAVA_SHORT, 4, (short) size);
        message.set(ValueLayout.JAVA_SHORT, 6, (short) out);
        CView request = command.request().view(message.asSlice(8));
        if (command.response().isPresent()) {
            request.set("response", arena.allocate(ROOM, 8).address());
        }
        fill.accept(request);
        return Math.min(0, file.write(message));
    }

    @Test
    void headsAreChecked() {
        RdmaUcmCmd create = CreateIdentifier.COMMAND;
        int size = create.request().size();
        assertThat(file.write(arena.allocate(7))).isEqualTo(-Errno.EINVAL);
        assertThat(head(create.number(), size + 1, 4, size)).as("longer than the message").isEqualTo(-Errno.EINVAL);
        assertThat(head(99, 0, 0, 0)).as("unknown").isEqualTo(-Errno.EINVAL);
        assertThat(head(GET_OPTION, 0, 0, 0)).as("never implemented").isEqualTo(-Errno.ENOSYS);
        assertThat(head(create.number(), 0, 4, 0)).as("no request").isEqualTo(-Errno.EFAULT);
        assertThat(send(create, 3, request -> request.set("ps", 0x106))).isEqualTo(-Errno.ENOSPC);
        assertThat(send(create, 4, request -> request.set("ps", 0x106))).isZero();
        assertThat(send(create, 4, request -> request.set("ps", 0x999))).isEqualTo(-Errno.EINVAL);
        assertThat(send(create, 4, request -> request.set("ps", 0x13f).set("qp_type", 99)))
                .as("RDMA_PS_IB takes the type of the request")
                .isEqualTo(-Errno.EINVAL);
        assertThat(send(create, 4, request -> request.set("ps", 0x13f).set("qp_type", 4))).isZero();
    }

    @Test
    void valuesAreChecked() {
        Consumer<CView> ours = request -> request.set("id", identifier);
        assertThat(send(QueryAddresses.COMMAND, ROOM, ours)).isZero();
        assertThat(send(QueryAddresses.COMMAND, ROOM, request -> request.set("id", 999))).isEqualTo(-Errno.ENOENT);
        assertThat(send(QueryAddresses.COMMAND, ROOM, ours.andThen(request -> request.set("option", 9))))
                .isEqualTo(-Errno.ENOSYS);
        for (int state : new int[]{-1, 7}) {
            assertThat(send(InitQueuePairAttributes.COMMAND, ROOM,
                    ours.andThen(request -> request.set("qp_state", state)))).isEqualTo(-Errno.EINVAL);
        }
        assertThat(send(Notify.COMMAND, 0, ours.andThen(request -> request.set("event", 9)))).isEqualTo(-Errno.EINVAL);
        assertThat(send(JoinMulticast.COMMAND, 4, ours.andThen(request -> request.set("join_flags", 2))))
                .isEqualTo(-Errno.EINVAL);
        assertThat(send(MigrateIdentifier.COMMAND, 4, ours.andThen(request -> request.set("fd", 12345))))
                .as("no such file")
                .isNegative();
    }

    /// `ucma_set_option_id`: a length that is not the option's is invalid.
    @Test
    void optionsAreChecked() {
        for (int option : new int[]{0, 1, 2, 3}) {
            int length = option == 0 || option == 3 ? 1 : 4;
            assertThat(set(0, option, length)).as("option %d", option).isZero();
            assertThat(set(0, option, length + 1)).as("option %d", option).isEqualTo(-Errno.EINVAL);
        }
        assertThat(set(0, 9, 4)).isEqualTo(-Errno.ENOSYS);
        assertThat(set(2, 0, 1)).isEqualTo(-Errno.ENOSYS);
    }

    private int set(int level, int option, int length) {
        return send(SetOption.COMMAND, 0, request -> request.set("id", identifier)
                .set("level", level)
                .set("optname", option)
                .set("optlen", length)
                .set("optval", arena.allocate(8, 8).address()));
    }
}
