// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.abi.failure.Rollback;
import io.verbs4j.abi.failure.SystemOperation;
import io.verbs4j.abi.host.Host;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.tests.support.Forwarding;
import io.verbs4j.types.Errno;
import java.io.FileInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Threads that many connections share, and that cannot be started at first.
@Timeout(60)
class SharedThreadsTest {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress("10.9.0.1", 7475);

    /// Without the thread, each further connection of the group would wait in vain.
    @Test
    void aGroupWhoseThreadDidNotStartTriesAgain() throws Exception {
        var opened = new AtomicInteger();
        var closed = new AtomicInteger();
        try (SimulatedNetwork network = SimulatedNetwork.inRealTime()) {
            var host = network.addHost("host", KernelProfile.LINUX_6_12);
            host.addDevice("rxe0");
            var lack = new OutOfMemoryError("unable to create native thread");
            Host lacking = proxy(Host.class, host, (name, result) -> {
                if (!(result instanceof DeviceFile file) || opened.incrementAndGet() != 2) {
                    return result;
                }
                return proxy(DeviceFile.class, file, (called, answer) -> {
                    if (called.equals("fileDescriptor")) {
                        throw lack; // for the name of the thread
                    }
                    closed.addAndGet(called.equals("close") ? 1 : 0);
                    return answer;
                });
            });
            try (
                    var _ = Host.replaceCurrent(lacking);
                    RdmaServer server = RdmaServer.listen(ADDRESS);
                    ConnectionGroup group = ConnectionGroup.create()) {
                var options =
                        ConnectionOptions.defaults().withGroup(group).withTimeout(Duration.ofSeconds(5));
                assertThatThrownBy(() -> RdmaConnection.connect(ADDRESS, options)).isSameAs(lack);
                assertThat(closed).hasValue(1);
                var accepted = server.acceptAsync();
                RdmaConnection.connect(ADDRESS, options).close();
                accepted.get(20, TimeUnit.SECONDS).close();
            }
        }
    }

    /// Replaces the results of calls.
    private interface Replacing {
        Object of(String method, Object result);
    }

    private static <T> T proxy(Class<T> type, T target, Replacing replacing) {
        return Forwarding.of(
                type,
                (_, method, arguments) -> replacing
                        .of(method.getName(), Forwarding.pass(target, method, arguments)));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void theCommonWatchIsCreatedOnceADescriptorIsFree() throws Exception {
        assertThat(ChildProgram.output(List.of("prlimit", "--nofile=200"), NoDescriptor.class))
                .containsExactly("ResourceLimitException", "created");
    }

    /// A program that has no file descriptor left when it needs the common watch, and closes some then.
    static final class NoDescriptor {
        private NoDescriptor() {}

        public static void main(String[] arguments) throws IOException {
            // Loads the classes, which needs descriptors.
            KernelErrors.failure(SystemOperation.AWAIT_EVENT, Errno.EMFILE).getMessage();
            try (var rollback = new Rollback()) {
                rollback.make(CompletionWatch::create, CompletionWatch::close);
            }
            var files = new ArrayList<FileInputStream>();
            while (files.size() < 1000) {
                try {
                    files.add(new FileInputStream("/dev/null"));
                } catch (IOException full) {
                    break;
                }
            }
            report();
            for (FileInputStream file : files) {
                file.close();
            }
            report();
        }

        private static void report() {
            String result;
            try {
                CompletionWatch.common().handle();
                result = "created";
            } catch (RuntimeException | Error e) {
                result = e.getClass().getSimpleName();
            }
            System.out.println(result);
        }
    }
}
