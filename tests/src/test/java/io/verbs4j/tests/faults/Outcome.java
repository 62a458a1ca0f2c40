// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.verbs4j.Context;
import io.verbs4j.tests.support.FaultInjector;
import io.verbs4j.tests.support.FaultInjector.Fault;
import io.verbs4j.types.DeviceGoneException;
import io.verbs4j.types.Errno;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.ResourceLimitException;
import io.verbs4j.types.VerbsException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// The outcome of a scenario with one fault.
///
/// @param call the faulty call's name
/// @param fault the fault
/// @param thrown exception of the scenario, or of opening the device before it; null if it finished
/// @param closing exception of the first attempt to close the context; null if it succeeded, or there was no context
/// @param closingAgain exception of the second attempt, if the first failed
record Outcome(
        String call,
        Fault fault,
        @Nullable Throwable thrown,
        @Nullable Throwable closing,
        @Nullable Throwable closingAgain) {
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

    /// The first call of all asks which envelopes the kernel takes, and every answer but one means yes.
    private static final String PROBE = "invoke QUERY_DEVICE";

    /// So rxe is asked whether it can re-register memory, and every answer but one means yes.
    private static final String PROBE_OF_REREGISTRATION = "invoke REREG_MR of none";

    /// Commands that return a handle in their answer, where it can be garbled.
    private static final Set<String> ANSWERED_HANDLES =
            Set.of("invoke ALLOC_PD", "invoke REG_MR", "invoke ALLOC_MW", "invoke CREATE_AH");

    /// Opens, runs, and closes, if need be twice.
    static Outcome of(
            FaultInjector injector,
            Callable<Context> opening,
            FaultScenario scenario,
            int gidIndex,
            boolean closes) {
        return of(injector, opening, context -> scenario.run(context, gidIndex, closes));
    }

    /// A program over an open device.
    @FunctionalInterface
    interface Program {
        /// Runs it to its end, or to the first exception.
        void run(Context context) throws Exception;
    }

    /// Opens, runs, and closes, if need be twice.
    static Outcome of(FaultInjector injector, Callable<Context> opening, Program program) {
        Context[] context = new Context[1];
        Throwable thrown = catchThrowable(() -> {
            context[0] = opening.call();
            program.run(context[0]);
        });
        Throwable closing = null;
        Throwable closingAgain = null;
        if (context[0] != null) {
            closing = catchThrowable(context[0]::close);
            closingAgain = closing == null ? null : catchThrowable(context[0]::close);
        }
        return new Outcome(injector.faultyCall(), injector.fault(), thrown, closing, closingAgain);
    }

    /// A failed call ends the scenario, or the first attempt to close the context, by an exception with its error
    /// number, unless an alternative has worked. The context can be closed in the end.
    void assertFailedOrAbsorbed() {
        assertThat(closingAgain).as("the second closing after %s", this).isNull();
        Throwable failure = thrown == null ? closing : thrown;
        int errno = ((Fault.Fails) fault).number();
        if (failure == null) {
            assertThat(isAbsorbed(errno)).as("%s ignored error %d", call, errno).isTrue();
            return;
        }
        assertThat(thrown == null || closing == null).as("one fault, one failure: %s", this).isTrue();
        assertThat(failure).as("%s with error %d", call, errno).isInstanceOf(VerbsException.class);
        VerbsException exception = (VerbsException) failure;
        assertThat(exception.operation()).isNotBlank();
        assertThat(exception)
                .hasMessageStartingWith(exception.operation() + " failed: " + Errno.describe(exception.errno()));
        assertThat(exception.errno()).as("%s: %s", call, exception).isIn(errnosFor(errno));
        assertThat(exception).isInstanceOf(kind(exception.errno()));
    }

    private static Class<? extends VerbsException> kind(int errno) {
        return switch (errno) {
            case Errno.EIO, Errno.ENODEV -> DeviceGoneException.class;
            case Errno.ENOMEM -> ResourceLimitException.class;
            case Errno.EPROTONOSUPPORT, Errno.EOPNOTSUPP -> NotSupportedException.class;
            default -> VerbsException.class;
        };
    }

    /// Errors behind which there is a second way or another try, and nobody need know.
    private boolean isAbsorbed(int errno) {
        if (isProbe() || call.equals("unmap")) { // see CommandChannel
            return true;
        }
        return switch (errno) {
            case Errno.EPROTONOSUPPORT -> hasAnOlderWay();
            case Errno.EINTR, Errno.EAGAIN -> call.endsWith(" event"); // looks again
            case Errno.EBUSY -> call.equals("ioctl QP_DESTROY"); // tries again, see DestroyQueuePair
            // Gone with its device, see KernelErrors.
            case Errno.EIO -> call.endsWith("_DESTROY") || call.equals("invoke DETACH_MCAST");
            default -> false;
        };
    }

    private boolean isProbe() {
        return call.equals(PROBE) || call.equals(PROBE_OF_REREGISTRATION);
    }

    /// Methods came after commands that do the same, all but one; and of the commands one has an older form.
    private boolean hasAnOlderWay() {
        return call.startsWith("ioctl ") && !call.equals("ioctl ADVISE_MR") || call.equals("invoke EX_QUERY_DEVICE");
    }

    /// Includes the error numbers of an older alternative that the device lacks too, of sysfs if it does not contain
    /// the device, and of the library for features that the device lacks.
    private List<Integer> errnosFor(int errno) {
        return errno == Errno.EPROTONOSUPPORT && (hasAnOlderWay() || isProbe())
                ? List.of(errno, Errno.EOPNOTSUPP, call.startsWith("ioctl QUERY_GID") ? Errno.ENODEV : errno)
                : List.of(errno);
    }

    /// A wrong answer may be trusted, but causes only documented exceptions. A wrong count is rejected. The context can
    /// be closed in the end, unless it has an object with a handle that was wrong from the start, because the kernel
    /// has no such object.
    void assertOnlyDocumentedExceptions() {
        for (Throwable failure : new Throwable[]{thrown, closing, closingAgain}) {
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
        if (closingAgain != null) {
            assertThat(ANSWERED_HANDLES).as(toString()).contains(call);
            assertThat(((VerbsException) closingAgain).errno()).isEqualTo(Errno.ENOENT);
        }
        if (call.startsWith("write ")) {
            assertThat(thrown).as("%s with %s", call, fault).isInstanceOf(VerbsException.class);
        }
    }
}
