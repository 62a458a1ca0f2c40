// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.verbs4j.Context;
import io.verbs4j.Devices;
import io.verbs4j.InjectedDevices;
import io.verbs4j.abi.FaultyHost;
import io.verbs4j.abi.host.Host;
import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.IncomingConnection;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.cm.RdmaServer;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.FaultInjector;
import io.verbs4j.tests.support.LeakCheck;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.Simulated;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Each system call of connecting, listening, accepting and closing fails once. The program gets an exception, or the
/// library compensates for the failure. No objects are left, and the next connection works.
///
/// The short form tests every second call, or every call on simulated devices, with one error number each. The long
/// form (system property `walks.minutes`) tests all calls with all numbers.
@DeviceTest
@Needs.OneKernel
class FaultyConnectionsIT {
    private static final boolean ALL = Long.getLong("walks.minutes", 0) > 0;
    private static final boolean SIMULATED = Simulated.isUsed();
    private static final int NEVER = Integer.MAX_VALUE;
    private static final List<Integer> ERRORS =
            List.of(Errno.ENOMEM, Errno.EINVAL, Errno.EIO, Errno.EPERM, Errno.ENOENT);
    private static final ConnectionOptions OPTIONS =
            ConnectionOptions.defaults()
                    .withTimeout(Steps.LONG)
                    .withQueues(4, 4)
                    .withMessages(4, 64)
                    .withSource(new InetSocketAddress("10.9.0.1", 0));

    /// Describes what a run of a program came to.
    private interface Attempt {
        void run(int call, int errno) throws Exception;
    }

    private static void sweep(int calls, Attempt attempt) throws Exception {
        assertThat(calls).isGreaterThan(10);
        int runs = 0;
        for (int call = 1; call <= calls; call += ALL || SIMULATED ? 1 : 2) {
            for (int i = 0; i < (ALL ? ERRORS.size() : 1); i++) {
                attempt.run(call, ERRORS.get(runs++ % ERRORS.size()));
            }
        }
    }

    /// Accepts one connection, of a client that does not give up before.
    private static final class Acceptor implements AutoCloseable {
        private final CompletableFuture<RdmaConnection> accepted = new CompletableFuture<>();
        private final Thread thread;

        Acceptor(RdmaServer server) {
            thread = Thread.startVirtualThread(() -> {
                while (!accepted.isDone()) {
                    try {
                        accepted.complete(server.accept());
                    } catch (VerbsException e) {
                        // This one was none; the server goes on.
                    } catch (IllegalStateException | InterruptedException e) {
                        accepted.completeExceptionally(e);
                    }
                }
            });
        }

        RdmaConnection get() throws Exception {
            return accepted.get(60, TimeUnit.SECONDS);
        }

        @Override
        public void close() {
            thread.interrupt();
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (!accepted.isCompletedExceptionally()) {
                accepted.join().close();
            }
        }
    }

    /// One life of a connection.
    private static void talk(RdmaServer server, InetSocketAddress address, ConnectionOptions options) throws Exception {
        try (
                var acceptor = new Acceptor(server);
                var client = RdmaConnection.connect(address, options)) {
            RdmaConnection accepted = acceptor.get();
            client.messages().send("through");
            assertThat(accepted.messages().receiveText(Steps.LONG)).contains("through");
            client.disconnect();
            accepted.disconnected().get(60, TimeUnit.SECONDS);
        }
    }

    private static @Nullable VerbsException failureOf(RdmaServer server, InetSocketAddress address,
            ConnectionOptions options) throws Exception {
        try {
            talk(server, address, options);
            return null;
        } catch (VerbsException e) {
            return e;
        }
    }

    private record Left(int descriptors, int identifiers, int objects) {
        static Left now() {
            return new Left(
                    LeakCheck.descriptors().size(),
                    LeakCheck.identifiers().size(),
                    LeakCheck.objectsOfContexts().size());
        }

        private boolean isNoLessThan(Left other) {
            return descriptors >= other.descriptors && identifiers >= other.identifiers && objects >= other.objects;
        }

        /// A request that comes when its client has given up, and nobody accepts any more, waits in the server.
        void require(RdmaServer server, Object after) {
            Eventually.until(
                    () -> {
                        rejectWhatWaits(server);
                        return isNoLessThan(now());
                    },
                    () -> text(after));
        }

        private static void rejectWhatWaits(RdmaServer server) {
            try {
                server.next(Duration.ZERO).ifPresent(IncomingConnection::close);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        /// Ends of threads that took events may take a moment.
        void require(Object after) {
            Eventually.until(() -> isNoLessThan(now()), () -> text(after));
        }

        private String text(Object after) {
            return "before: " + this + ", left after " + after + ": " + LeakCheck.descriptors()
                    + LeakCheck.identifiers()
                    + LeakCheck.objectsOfContexts();
        }
    }

    @Test
    void clientsOutliveTheConnectionManagersFaults() throws Exception {
        InetSocketAddress address = CmAddress.right();
        try (var server = RdmaServer.listen(address, OPTIONS)) {
            var none = fault(NEVER, Errno.EINVAL);
            try (var _ = inConnectionManager(none)) {
                talk(server, address, OPTIONS);
            }
            Left before = Left.now();
            var reported = new ArrayList<Integer>();
            var struck = new ArrayList<Integer>();
            sweep(none.calls(), (call, errno) -> {
                var fault = fault(call, errno);
                VerbsException failure;
                try (var _ = inConnectionManager(fault)) {
                    failure = failureOf(server, address, OPTIONS);
                }
                if (fault.calls() >= call) { // how often it waits differs, so that the last calls may not come
                    struck.add(call);
                }
                if (failure != null) {
                    assertThat(failure.errno()).as(fault::toString).isEqualTo(errno);
                    reported.add(errno);
                }
                before.require(server, fault);
                talk(server, address, OPTIONS);
            });
            assertThat(struck).hasSizeGreaterThan(none.calls() / 3);
            assertThat(reported).hasSizeGreaterThan(4);
        }
    }

    @Test
    void serversOutliveTheConnectionManagersFaults() throws Exception {
        InetSocketAddress address = CmAddress.right();
        var none = fault(NEVER, Errno.EINVAL);
        try (var server = listen(address, none)) {
            talk(server, address, OPTIONS);
        }
        Left before = Left.now();
        sweep(none.calls(), (call, errno) -> {
            var fault = fault(call, errno);
            try (var server = listen(address, fault)) {
                failureOf(server, address, OPTIONS);
                talk(server, address, OPTIONS);
            } catch (VerbsException e) {
                // Of listening; or of the second connection, which the server could then not accept.
                assertThat(e.errno()).as(fault::toString).isIn(errno, Errno.ECONNREFUSED);
            }
            assertThat(fault.calls()).isGreaterThanOrEqualTo(call);
            before.require(fault);
        });
    }

    @Test
    void clientsOutliveTheDevicesFaults() throws Exception {
        InetSocketAddress address = CmAddress.right();
        try (var server = RdmaServer.listen(address, OPTIONS)) {
            talk(server, address, OPTIONS);
            Left before = Left.now();
            int calls;
            int opening;
            var counting = injector(NEVER, Errno.EINVAL);
            try (Context context = InjectedDevices.open(Devices.find(Rxe.LEFT), counting)) {
                var domain = context.allocateProtectionDomain();
                opening = counting.calls().size();
                talk(server, address, OPTIONS.withProtectionDomain(domain));
                calls = counting.calls().size();
            }
            int first = opening;
            var reported = new ArrayList<Integer>();
            var struck = new ArrayList<Integer>();
            sweep(calls - first, (call, errno) -> {
                var injector = injector(first + call, errno);
                Context context = InjectedDevices.open(Devices.find(Rxe.LEFT), injector);
                try {
                    var domain = context.allocateProtectionDomain();
                    VerbsException failure =
                            failureOf(server, address, OPTIONS.withProtectionDomain(domain));
                    if (failure != null) {
                        assertThat(failure.errno()).as(injector.calls() + " " + failure).isEqualTo(errno);
                        reported.add(errno);
                    }
                } finally {
                    if (catchThrowable(context::close) != null) { // how often it waits differs, so that a close may be struck
                        context.close();
                    }
                }
                if (injector.struck()) {
                    struck.add(call);
                }
                before.require(server, injector.calls());
                talk(server, address, OPTIONS);
            });
            assertThat(struck).hasSizeGreaterThan((calls - first) / 3);
            assertThat(reported).hasSizeGreaterThan(4);
        }
    }

    private static FaultyHost fault(int call, int errno) {
        return new FaultyHost((number, _) -> number == call, errno);
    }

    /// Adds a fault to the files of the connection manager that are opened from now on.
    private static Host.Replacement inConnectionManager(FaultyHost fault) {
        return Host.replaceCurrent(fault.over(Host.current(), "openNonBlocking"));
    }

    private static RdmaServer listen(InetSocketAddress address, FaultyHost fault) {
        try (var _ = inConnectionManager(fault)) {
            return RdmaServer.listen(address, OPTIONS);
        }
    }

    private static FaultInjector injector(int call, int errno) {
        return new FaultInjector(Rxe.openFile(), call, new FaultInjector.Fault.Fails(errno));
    }
}
