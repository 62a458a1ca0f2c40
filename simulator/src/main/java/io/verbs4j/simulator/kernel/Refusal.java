// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.kernel;

import io.verbs4j.types.Errno;
import java.util.function.IntSupplier;

/// Ends a command with an error number. Never leaves the simulated kernel.
public final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int errno;

    /// @param errno the number, without its sign
    public Refusal(int errno) {
        super("errno " + errno, null, false, false);
        this.errno = errno;
    }

    /// Returns the error number, without its sign.
    public int errno() {
        return errno;
    }

    /// Runs a command.
    ///
    /// @return its result, or the negated error number of its refusal
    public static int resultOf(IntSupplier command) {
        try {
            return command.getAsInt();
        } catch (Refusal refusal) {
            return -refusal.errno();
        } catch (OutOfMemoryError e) {
            return -Errno.ENOMEM; // the rings of a large queue may exceed -XX:MaxDirectMemorySize
        }
    }

    /// Throws a refusal unless a condition holds.
    public static void unless(boolean holds, int errno) {
        if (!holds) {
            throw new Refusal(errno);
        }
    }

    /// Throws a refusal if a condition holds.
    public static void when(boolean holds, int errno) {
        unless(!holds, errno);
    }
}
