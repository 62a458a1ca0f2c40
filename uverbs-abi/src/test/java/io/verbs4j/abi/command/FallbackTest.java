// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.KernelCall;
import io.verbs4j.abi.KernelSide;
import io.verbs4j.abi.completion.DestroyCompletionQueue;
import io.verbs4j.abi.context.GetContext;
import io.verbs4j.abi.context.QueryDevice;
import io.verbs4j.abi.context.QueryGidEntry;
import io.verbs4j.abi.context.QueryGidTable;
import io.verbs4j.abi.context.QueryPort;
import io.verbs4j.abi.memory.AllocateProtectionDomain;
import io.verbs4j.abi.memory.DeallocateProtectionDomain;
import io.verbs4j.abi.memory.DeregisterMemory;
import io.verbs4j.abi.memory.QueryMemory;
import io.verbs4j.abi.queuepair.CreateQueuePair;
import io.verbs4j.abi.queuepair.DestroyQueuePair;
import io.verbs4j.abi.uapi.RdmaDriver;
import io.verbs4j.types.Errno;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.QueuePairCapabilities;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Kernels that lack features, and kernels that respond with garbage.
class FallbackTest {
    private final KernelSide kernel = new KernelSide();

    private CommandChannel open() {
        return CommandChannel.open(kernel, null, RdmaDriver.RXE, "fake0", 2, QueryDevice.SPECIFICATION);
    }

    private List<String> names() {
        return kernel.commands.stream().map(KernelCall::name).toList();
    }

    @Test
    void aPresentKernelGetsNativeMethods() {
        CommandChannel channel = open();
        assertThat(channel.transport()).isEqualTo(Transport.NATIVE_IOCTL);
        assertThat(kernel.commands).as("the probe does nothing").isEmpty();
        DeregisterMemory.execute(channel, 5);
        assertThat(names()).containsExactly("UVERBS_METHOD_MR_DESTROY");
    }

    @Test
    void aKernelWithoutInvokedWritesGetsWrites() {
        kernel.hasInvokedWrites = false;
        CommandChannel channel = open();
        assertThat(channel.transport()).isEqualTo(Transport.WRITE);
        DeregisterMemory.execute(channel, 5);
        assertThat(names()).containsExactly("IB_USER_VERBS_CMD_DEREG_MR");
        assertThat(kernel.last().transport).isEqualTo(Transport.WRITE);
    }

    @Test
    void aKernelWithoutIoctlGetsWrites() {
        kernel.hasIoctl = false;
        assertThat(open().transport()).isEqualTo(Transport.WRITE);
    }

    @Test
    void aMethodThatTheKernelLacksIsReplacedByItsWriteCommand() {
        kernel.hasNativeMethods = false;
        DeregisterMemory.execute(open(), 5);
        assertThat(names()).containsExactly("IB_USER_VERBS_CMD_DEREG_MR");
        assertThat(kernel.last().transport).isEqualTo(Transport.INVOKE_WRITE);
    }

    @Test
    void anErrorOfAMethodIsNotTakenForItsAbsence() {
        kernel.answer(command -> -Errno.EBUSY);
        CommandChannel channel = open();
        assertThatThrownBy(() -> DeallocateProtectionDomain.execute(channel, 5))
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBUSY));
        assertThat(names()).containsExactly("UVERBS_METHOD_PD_DESTROY");
    }

    @Test
    void queryDeviceFallsBackToThePlainCommand() {
        kernel.answer(command -> {
            if (command.command == QueryDevice.EXTENDED_WRITE) {
                return -Errno.EOPNOTSUPP;
            }
            command.response("ib_uverbs_query_device_resp").set("max_qp", 77);
            return 0;
        });
        assertThat(QueryDevice.execute(open()).maxQueuePairs()).isEqualTo(77);
        assertThat(names())
                .containsExactly("IB_USER_VERBS_EX_CMD_QUERY_DEVICE", "IB_USER_VERBS_CMD_QUERY_DEVICE");
    }

    @Test
    void getContextIsWrittenToAKernelThatMistakesItInsideAnIoctl() {
        kernel.answer(command -> {
            if (command.transport == Transport.INVOKE_WRITE) {
                return -Errno.EBADF;
            }
            command.response("ib_uverbs_get_context_resp").set("async_fd", 8).set("num_comp_vectors", 2);
            return 0;
        });
        GetContext.Response context = GetContext.execute(kernel.channel(Transport.INVOKE_WRITE), DriverData.NONE);
        assertThat(context.completionVectors()).isEqualTo(2);
        assertThat(context.asyncEvents().fileDescriptor()).isEqualTo(8);
        assertThat(kernel.last().transport).isEqualTo(Transport.WRITE);
    }

    @Test
    void aVerbWithoutAWriteCommandIsNotSupportedWithoutItsMethod() {
        kernel.hasNativeMethods = false;
        CommandChannel channel = open();
        assertThatThrownBy(() -> QueryMemory.execute(channel, 1)).isInstanceOf(NotSupportedException.class);
    }

    @Test
    void gidsOfADeviceThatIsNotInSysfsCannotBeReadThere() {
        kernel.hasNativeMethods = false;
        CommandChannel channel = open();
        assertThatThrownBy(() -> QueryGidTable.execute(channel, 8)).isInstanceOf(VerbsException.class);
        assertThatThrownBy(() -> QueryGidEntry.execute(channel, 1, 0)).isInstanceOf(VerbsException.class);
    }

    @Test
    void aPortThatTheRequestCannotHoldIsRefused() {
        CommandChannel channel = kernel.channel(Transport.WRITE);
        assertThatThrownBy(() -> QueryPort.execute(channel, 257))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("port=257");
        assertThat(kernel.commands).isEmpty();
    }

    @Test
    void aQueuePairWhoseSizesMakeNoSenseIsNotLeftBehind() {
        kernel.answer(command -> {
            if (command.method == CreateQueuePair.METHOD) {
                command.created(CreateQueuePair.CREATE_QP_HANDLE, 6);
                command.memory(CreateQueuePair.CREATE_QP_RESP_CAP).fill((byte) 0xff);
            }
            return 0;
        });
        var request = new CreateQueuePair.Request(
                1, 2, 3, null, 4, QueuePairType.RC, new QueuePairCapabilities(1, 1, 1, 1, 0), false);
        CommandChannel channel = open();
        assertThatThrownBy(() -> CreateQueuePair.execute(channel, request, DriverData.NONE))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(names()).containsExactly("UVERBS_METHOD_QP_CREATE", "UVERBS_METHOD_QP_DESTROY");
        assertThat(kernel.last().in(DestroyQueuePair.DESTROY_QP_HANDLE)).isEqualTo(6);
    }

    @Test
    void aChannelKnowsWhatItWasOpenedWith() {
        CommandChannel channel = open();
        assertThat(channel.file()).isSameAs(kernel);
        assertThat(channel.driverId()).isEqualTo(RdmaDriver.RXE);
        assertThat(channel.deviceName()).isEqualTo("fake0");
        assertThat(channel.abiVersion()).isEqualTo(2);
        assertThat(channel).hasToString("fake0 by NATIVE_IOCTL");
        channel.close();
        assertThat(kernel.isClosed()).isTrue();
    }

    @Test
    void theDriversOwnNumberIsInEveryIoctl() {
        CommandChannel wrong = CommandChannel.open(kernel, 15, "fake0", 2, Transport.NATIVE_IOCTL);
        assertThatThrownBy(() -> DeregisterMemory.execute(wrong, 5))
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
    }

    @Test
    void anAnswerOfTheDriverReachesItsRoomByEveryTransport() {
        kernel.answer(command -> {
            command.driverOut.fill((byte) 7);
            if (command.response.byteSize() > 0) {
                command.response.set(ValueLayout.JAVA_INT, 0, 5);
            }
            return 0;
        });
        for (Transport transport : Transport.values()) {
            var room = Arena.ofAuto().allocate(8, 8);
            int handle = AllocateProtectionDomain.execute(kernel.channel(transport), DriverData.out(room));
            assertThat(handle).isEqualTo(5);
            assertThat(room.toArray(ValueLayout.JAVA_BYTE)).containsOnly(7);
        }
    }

    /// A kernel that cannot write its response has destroyed the object, and reports so when it is asked again.
    @Test
    void anObjectIsDestroyedEvenIfTheAnswerCannotBeWritten() {
        var errnos = new ArrayDeque<>(List.of(Errno.EFAULT, Errno.ENOENT, Errno.EFAULT, Errno.EBUSY));
        kernel.answer(_ -> -errnos.remove());
        CommandChannel channel = kernel.channel(Transport.NATIVE_IOCTL);
        assertThat(DestroyCompletionQueue.execute(channel, 5).completionEvents()).isZero();
        assertThatThrownBy(() -> DestroyCompletionQueue.execute(channel, 5))
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBUSY));
        assertThat(errnos).isEmpty();
    }
}
