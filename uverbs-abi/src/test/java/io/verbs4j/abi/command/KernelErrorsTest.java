// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.memory.RegisterMemory;
import io.verbs4j.types.DeviceGoneException;
import io.verbs4j.types.Errno;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.ResourceLimitException;
import io.verbs4j.types.VerbsException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class KernelErrorsTest {
    @ParameterizedTest
    @ValueSource(ints = {Errno.EOPNOTSUPP, Errno.EPROTONOSUPPORT, Errno.ENOTTY})
    void whatKernelOrDriverLackIsNotSupported(int errno) {
        assertThat(KernelErrors.failure(Verb.CREATE_QUEUE_PAIR, errno)).isInstanceOf(NotSupportedException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.ENOMEM, Errno.EMFILE, Errno.ENFILE})
    void whatRanOutIsALimit(int errno) {
        assertThat(KernelErrors.failure(Verb.CREATE_QUEUE_PAIR, errno)).isInstanceOf(ResourceLimitException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.EIO, Errno.ENODEV, Errno.ENXIO})
    void aRemovedDeviceIsGone(int errno) {
        assertThat(KernelErrors.failure(Verb.QUERY_PORT, errno)).isInstanceOf(DeviceGoneException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.EINVAL, Errno.EBUSY, Errno.EFAULT, Errno.EPERM, 200})
    void theRestIsPlain(int errno) {
        assertThat(KernelErrors.failure(Verb.CREATE_QUEUE_PAIR, errno)).isExactlyInstanceOf(VerbsException.class);
    }

    @Test
    void missingPermissionToLockMemoryIsALimitToo() {
        assertThat(KernelErrors.failure(Verb.REGISTER_MEMORY, Errno.EPERM)).isInstanceOf(ResourceLimitException.class);
    }

    @Test
    void theMessageNamesVerbErrorAndRemedy() {
        VerbsException failure = KernelErrors.failure(Verb.DEALLOCATE_PROTECTION_DOMAIN, Errno.EBUSY);
        assertThat(failure)
                .hasMessage("deallocate protection domain failed: EBUSY (16, Device or resource busy):"
                        + " other objects still refer to it; destroy them first");
        assertThat(failure.operation()).isEqualTo("deallocate protection domain");
        assertThat(failure.errno()).isEqualTo(Errno.EBUSY);
    }

    @Test
    void aRemovedDevicesObjectsAreDestroyedAlready() {
        KernelErrors.checkDestroyed(Verb.DESTROY_QUEUE_PAIR, 0);
        KernelErrors.checkDestroyed(Verb.DESTROY_QUEUE_PAIR, -Errno.EIO);
        assertThatThrownBy(() -> KernelErrors.checkDestroyed(Verb.DESTROY_QUEUE_PAIR, -Errno.EBUSY))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("EBUSY");
    }

    @Test
    void aResultThatIsNoErrorPasses() {
        assertThat(KernelErrors.check(Verb.QUERY_PORT, 0)).isZero();
        assertThat(KernelErrors.check(Verb.QUERY_PORT, 7)).isEqualTo(7);
        assertThatThrownBy(() -> KernelErrors.check(Verb.QUERY_PORT, -Errno.EINVAL))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("there is no such port");
    }

    @ParameterizedTest
    @EnumSource
    void everyVerbExplainsEveryErrorInItsOwnWordsOrInGeneralOnes(Verb verb) {
        for (int errno = 1; errno < 140; errno++) {
            String text = ErrorCatalogue.explain(verb, errno);
            assertThat(text).doesNotStartWith(" ").doesNotEndWith(".").doesNotContain("  ");
        }
        assertThat(ErrorCatalogue.explain(verb, Errno.EIO)).isNotEmpty();
        assertThat(ErrorCatalogue.explain(verb, Errno.ENOENT)).isNotEmpty();
    }

    @Test
    void everyVerbHasANameOfItsOwn() {
        Set<String> names = new HashSet<>();
        for (Verb verb : Verb.values()) {
            assertThat(names.add(verb.operation())).as(verb.operation()).isTrue();
        }
    }

    @Test
    void registeringTooMuchMemoryTellsThePresentLimit() {
        var kernel = new FakeKernel().answer(command -> -Errno.ENOMEM);
        CommandChannel channel = kernel.channel(Transport.NATIVE_IOCTL);
        assertThatThrownBy(() -> RegisterMemory.execute(channel, 1, 4096, 123456, 4096, 0, DriverData.NONE))
                .isInstanceOf(ResourceLimitException.class)
                .hasMessageContaining("123456 bytes");
    }
}
