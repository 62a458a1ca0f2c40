// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi;

import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.device.EventFile;
import io.verbs4j.abi.device.PollableFile;
import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.abi.failure.SystemOperation;
import io.verbs4j.abi.host.Host;
import io.verbs4j.tests.support.Forwarding;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;

/// A host whose device files fail at some calls, without executing them. Counts the calls over all its files.
public final class FaultyHost {
    private static final Set<String> CALLS = Set.of("write", "ioctl", "map", "await", "read", "eventFile");

    private final BiPredicate<Integer, List<Object>> fails;
    private final int errno;
    private final List<String> calls = new ArrayList<>();
    private boolean stopped;

    /// @param fails selects the calls that fail by their number, from 1, and their arguments
    /// @param errno positive error number
    public FaultyHost(BiPredicate<Integer, List<Object>> fails, int errno) {
        this.fails = fails;
        this.errno = errno;
    }

    /// Lets all further calls succeed, without counting them.
    public synchronized void stop() {
        stopped = true;
    }

    /// Returns how many calls there were before [#stop()].
    public synchronized int calls() {
        return calls.size();
    }

    @Override
    public synchronized String toString() {
        return "errno " + errno + " at call " + calls.size() + ": " + (calls.isEmpty() ? "" : calls.getLast());
    }

    private synchronized boolean fails(String call, Object[] arguments) {
        if (stopped) {
            return false;
        }
        calls.add(call);
        return fails.test(calls.size(), List.of(arguments));
    }

    /// Returns a host with these faults.
    public Host over(Host host) {
        return over(host, "open");
    }

    /// Returns a host with these faults in the files that it opens by some of its methods.
    ///
    /// @param opening start of the methods' names
    public Host over(Host host, String opening) {
        return Forwarding.of(Host.class, (_, method, arguments) -> {
            boolean opens = method.getReturnType() == DeviceFile.class && method.getName().startsWith(opening);
            if (opens && fails(method.getName(), arguments)) {
                throw KernelErrors.failure(SystemOperation.OPEN_DEVICE, errno);
            }
            Object result = Forwarding.pass(host, method, arguments);
            return opens ? over(DeviceFile.class, (DeviceFile) result) : result;
        });
    }

    private <T extends PollableFile> T over(Class<T> type, T file) {
        return Forwarding.of(type, (_, method, arguments) -> {
            String name = method.getName();
            if (CALLS.contains(name) && fails(name, arguments)) {
                if (method.getReturnType() == int.class) {
                    return -errno;
                }
                throw KernelErrors.failure(SystemOperation.OPEN_DEVICE, errno);
            }
            Object result = Forwarding.pass(file, method, arguments);
            return result instanceof EventFile events ? over(EventFile.class, events) : result;
        });
    }
}
