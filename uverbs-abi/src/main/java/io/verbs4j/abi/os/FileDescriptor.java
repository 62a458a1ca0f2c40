// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import io.verbs4j.types.Errno;
import java.util.concurrent.atomic.AtomicInteger;

/// A file descriptor that many threads use and that any of them may close at any time.
///
/// Each use is between [#acquire()] and [#release()]. [#close()] refuses later uses at once, and the last current user
/// closes the descriptor. Therefore the kernel can never assign its number to another file during a system call.
final class FileDescriptor {
    /// Bit 31 of the state; the other bits count the users.
    private static final int CLOSED = Integer.MIN_VALUE;

    private final int number;
    private final AtomicInteger state = new AtomicInteger();

    /// @param number an open descriptor, owned by this object from now on
    FileDescriptor(int number) {
        this.number = number;
    }

    /// Returns the number, for use in a command to the kernel. A system call on it needs [#acquire()].
    int number() {
        return number;
    }

    /// Starts a use.
    ///
    /// @return the number, or `-EBADF` after [#close()]
    int acquire() {
        int users = state.get();
        while (users >= 0) {
            int present = state.compareAndExchange(users, users + 1);
            if (present == users) {
                return number;
            }
            users = present;
        }
        return -Errno.EBADF;
    }

    /// Ends a use that [#acquire()] started.
    void release() {
        if (state.decrementAndGet() == CLOSED) {
            Syscalls.close(number);
        }
    }

    /// Returns whether [#close()] was called.
    boolean isClosed() {
        return state.get() < 0;
    }

    /// Refuses further uses; closes the descriptor when it is unused. Idempotent.
    void close() {
        int users = state.get();
        while (users >= 0) {
            int present = state.compareAndExchange(users, users | CLOSED);
            if (present == users) {
                if (users == 0) {
                    Syscalls.close(number);
                }
                return;
            }
            users = present;
        }
    }
}
