// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.verbs4j.Context;
import io.verbs4j.tests.support.FaultInjector;
import io.verbs4j.tests.support.FaultInjector.Fault;
import io.verbs4j.types.DeviceGoneException;
import io.verbs4j.types.Errno;
import io.verbs4j.types.ResourceLimitException;
import io.verbs4j.types.VerbsException;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// What became of a scenario with one fault in it.
///
/// @param call the faulty call's name
/// @param fault what was wrong with it
/// @param thrown how the scenario ended, or the opening of the device before it; null if it got to its end
/// @param closing how the first try to close the context ended; null if it went well, or there was no context
record Outcome(String call, Fault fault, @Nullable Throwable thrown, @Nullable Throwable closing) {
    /// Error numbers that system calls on a device may give.
    static final List<Integer> ERRORS = List.of(
            Errno.EINTR,
            Errno.EAGAIN,
            Errno.ENOMEM,
            Errno.EACCES,
            Errno.EPERM,
            Errno.EIO,
            Errno.ENODEV,
            Errno.EBUSY,
            Errno.EPROTONOSUPPORT,
            Errno.ENOSPC,
            Errno.ETIMEDOUT);

    /// Opens, runs, and closes, if need be twice.
    static Outcome of(FaultInjector injector, Callable<Context> opening, int gidIndex, boolean closes) {
        Context[] context = new Context[1];
        Throwable thrown = catchThrowable(() -> {
            context[0] = opening.call();
            new FaultScenario(context[0], gidIndex, closes).run();
        });
        Throwable closing = null;
        if (context[0] != null) {
            closing = catchThrowable(context[0]::close);
            if (closing != null) {
                catchThrowable(context[0]::close);
            }
        }
        return new Outcome(injector.faultyCall(), injector.fault(), thrown, closing);
    }

    /// A call that fails ends the scenario, or the closing of the context, by an exception with its error number, unless
    /// there is another way that worked.
    void assertFailedOrAbsorbed() {
        Throwable failure = thrown == null ? closing : thrown;
        int errno = ((Fault.Fails) fault).number();
        if (failure == null) {
            assertThat(absorbed(errno)).as("%s ignored error %d", call, errno).isTrue();
            return;
        }
        assertThat(thrown == null || closing == null).as("one fault, one failure").isTrue();
        assertThat(failure).as("%s with error %d", call, errno).isInstanceOf(VerbsException.class);
        VerbsException exception = (VerbsException) failure;
        assertThat(exception.operation()).isNotBlank();
        assertThat(exception)
                .hasMessageStartingWith(exception.operation() + " failed: " + Errno.describe(exception.errno()));
        if (errno == Errno.EPROTONOSUPPORT) {
            return; // the older way has failed for a reason of its own
        }
        assertThat(exception.errno()).as(exception.toString()).isEqualTo(errno);
        switch (errno) {
            case Errno.EIO, Errno.ENODEV -> assertThat(exception).isInstanceOf(DeviceGoneException.class);
            case Errno.ENOMEM -> assertThat(exception).isInstanceOf(ResourceLimitException.class);
            default -> {
            }
        }
    }

    /// Errors behind which there is a second way or another try, and nobody need know.
    private boolean absorbed(int errno) {
        return switch (errno) {
            case Errno.EPROTONOSUPPORT -> true; // the older form of the command
            case Errno.EINTR, Errno.EAGAIN -> call.endsWith(" event") || call.equals(PROBE); // looks again
            case Errno.EBUSY -> call.equals("ioctl QP_DESTROY") || call.equals(PROBE); // tries again, see QueuePair
            case Errno.EIO -> call.endsWith("_DESTROY") || call.equals(PROBE); // gone with its device, see KernelErrors
            default -> call.equals(PROBE);
        };
    }

    /// The first call of all asks which envelopes the kernel takes, and every answer but one means yes.
    private static final String PROBE = "invoke QUERY_DEVICE";

    /// A wrong answer may be believed, but only documented exceptions come of it.
    void assertOnlyDocumentedExceptions() {
        for (Throwable failure : new Throwable[]{thrown, closing}) {
            if (failure != null) {
                assertThat(failure)
                        .as("%s with %s", call, fault)
                        .isInstanceOfAny(
                                VerbsException.class,
                                IllegalStateException.class,
                                IllegalArgumentException.class,
                                AssertionError.class); // of the scenario, which did not find what it should
            }
        }
    }
}
