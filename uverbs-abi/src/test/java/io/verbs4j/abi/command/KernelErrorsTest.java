// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.verbs4j.abi.KernelSide;
import io.verbs4j.abi.catalogue.CommandCatalogue;
import io.verbs4j.abi.cm.Connect;
import io.verbs4j.abi.cm.Disconnect;
import io.verbs4j.abi.completion.CreateCompletionQueue;
import io.verbs4j.abi.context.QueryPort;
import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.abi.failure.Operation;
import io.verbs4j.abi.failure.SystemOperation;
import io.verbs4j.abi.memory.DeallocateProtectionDomain;
import io.verbs4j.abi.memory.RegisterMemory;
import io.verbs4j.abi.queuepair.CreateQueuePair;
import io.verbs4j.abi.queuepair.DestroyQueuePair;
import io.verbs4j.abi.queuepair.ModifyQueuePair;
import io.verbs4j.types.DeviceGoneException;
import io.verbs4j.types.Errno;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.ResourceLimitException;
import io.verbs4j.types.VerbsException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class KernelErrorsTest {
    @ParameterizedTest
    @ValueSource(ints = {Errno.EOPNOTSUPP, Errno.EPROTONOSUPPORT, Errno.ENOTTY})
    void whatKernelOrDriverLackIsNotSupported(int errno) {
        assertThat(KernelErrors.failure(CreateQueuePair.SPECIFICATION, errno))
                .isInstanceOf(NotSupportedException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.ENOMEM, Errno.EMFILE, Errno.ENFILE})
    void whatRanOutIsALimit(int errno) {
        assertThat(KernelErrors.failure(CreateQueuePair.SPECIFICATION, errno))
                .isInstanceOf(ResourceLimitException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.EIO, Errno.ENODEV, Errno.ENXIO})
    void aRemovedDeviceIsGone(int errno) {
        assertThat(KernelErrors.failure(QueryPort.SPECIFICATION, errno)).isInstanceOf(DeviceGoneException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.EINVAL, Errno.EBUSY, Errno.EFAULT, Errno.EPERM, 200})
    void theRestIsPlain(int errno) {
        assertThat(KernelErrors.failure(CreateQueuePair.SPECIFICATION, errno))
                .isExactlyInstanceOf(VerbsException.class);
    }

    @Test
    void missingPermissionToLockMemoryIsALimitToo() {
        assertThat(KernelErrors.failure(RegisterMemory.SPECIFICATION, Errno.EPERM))
                .isInstanceOf(ResourceLimitException.class);
    }

    @Test
    void theMessageNamesVerbErrorAndRemedy() {
        VerbsException failure = KernelErrors.failure(DeallocateProtectionDomain.SPECIFICATION, Errno.EBUSY);
        assertThat(failure)
                .hasMessage("deallocate protection domain failed: EBUSY (16, Device or resource busy):"
                        + " other objects still use this object; destroy those objects first");
        assertThat(failure.operation()).isEqualTo("deallocate protection domain");
        assertThat(failure.errno()).isEqualTo(Errno.EBUSY);
    }

    @Test
    void aRemovedDevicesObjectsAreDestroyedAlready() {
        KernelErrors.checkDestroyed(DestroyQueuePair.SPECIFICATION, 0);
        KernelErrors.checkDestroyed(DestroyQueuePair.SPECIFICATION, -Errno.EIO);
        assertThatThrownBy(() -> KernelErrors.checkDestroyed(DestroyQueuePair.SPECIFICATION, -Errno.EBUSY))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("EBUSY");
    }

    @Test
    void aResultThatIsNoErrorPasses() {
        assertThat(KernelErrors.check(QueryPort.SPECIFICATION, 0)).isZero();
        assertThat(KernelErrors.check(QueryPort.SPECIFICATION, 7)).isEqualTo(7);
        assertThatThrownBy(() -> KernelErrors.check(QueryPort.SPECIFICATION, -Errno.EINVAL))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("there is no such port");
    }

    static List<Operation> operations() {
        var all = new ArrayList<Operation>(CommandCatalogue.all());
        all.addAll(List.of(SystemOperation.values()));
        return all;
    }

    @ParameterizedTest
    @MethodSource("operations")
    void everyOperationExplainsEveryErrorInItsOwnWordsOrInGeneralOnes(Operation operation) {
        for (int errno = 1; errno < 140; errno++) {
            String text = operation.explain(errno);
            assertThat(text).doesNotStartWith(" ").doesNotEndWith(".").doesNotContain("  ");
        }
        assertThat(operation.explain(Errno.EIO)).isNotEmpty();
        assertThat(operation.explain(Errno.ENOENT)).isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("explained")
    void errorsAreExplainedByWhatTheyMeanForTheCommand(Operation operation, int errno, String cause) {
        assertThat(operation.explain(errno)).contains(cause);
    }

    static Stream<Arguments> explained() {
        return Stream.of(
                arguments(CreateCompletionQueue.SPECIFICATION, Errno.EBADF, "the completion channel is closed"),
                arguments(CreateCompletionQueue.SPECIFICATION, Errno.EINVAL, "completion"),
                arguments(ModifyQueuePair.SPECIFICATION, Errno.ETIMEDOUT, "the peer did not respond"),
                arguments(ModifyQueuePair.SPECIFICATION, Errno.ENODATA, "the source GID index refers to an empty slot"),
                arguments(ModifyQueuePair.SPECIFICATION, Errno.ENETUNREACH, "no route to the destination GID"),
                arguments(ModifyQueuePair.SPECIFICATION, Errno.EHOSTUNREACH, "no route to the destination GID"),
                arguments(Disconnect.SPECIFICATION, Errno.EINVAL, "the identifier is not connected"),
                arguments(Connect.SPECIFICATION, Errno.EINVAL, "the route is not resolved"),
                arguments(Connect.SPECIFICATION, Errno.EADDRINUSE, "the queue pair is connected"));
    }

    @Test
    void everyOperationHasANameOfItsOwn() {
        Set<String> names = new HashSet<>();
        for (Operation operation : operations()) {
            assertThat(names.add(operation.operation())).as(operation.operation()).isTrue();
        }
    }

    @Test
    void registeringTooMuchMemoryReportsThePresentLimit() {
        var kernel = new KernelSide().answer(command -> -Errno.ENOMEM);
        CommandChannel channel = kernel.channel(Transport.NATIVE_IOCTL);
        assertThatThrownBy(() -> RegisterMemory.execute(channel, 1, 4096, 123456, 4096, 0, DriverData.NONE))
                .isInstanceOf(ResourceLimitException.class)
                .hasMessageContaining("123456 bytes");
    }
}
