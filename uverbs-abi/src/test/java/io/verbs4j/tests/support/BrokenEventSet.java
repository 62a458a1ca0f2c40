// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/// Makes the kernel refuse the waits of a set of file descriptors (`epoll(7)`) with `EINVAL`.
public final class BrokenEventSet {
    private static final int STANDARD_INPUT = 0;

    private BrokenEventSet() {}

    /// Replaces the file of the set that `creating` creates with standard input.
    ///
    /// @return what `creating` returns
    @SuppressWarnings("restricted") // a call of the operating system
    public static <T> T of(Supplier<T> creating) throws Throwable {
        Set<String> before = files();
        T created = creating.get();
        Set<String> added = files();
        added.removeAll(before);
        assertThat(added).hasSize(1);
        int fd = Integer.parseInt(added.iterator().next());
        Linker linker = Linker.nativeLinker();
        MethodHandle dup2 = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("dup2"), FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
        assertThat((int) dup2.invokeExact(STANDARD_INPUT, fd)).isEqualTo(fd);
        return created;
    }

    private static Set<String> files() {
        Map<String, String> files = OpenFiles.targets();
        files.values().removeIf(target -> !target.equals("anon_inode:[eventpoll]"));
        return files.keySet();
    }
}
