// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.disni;

import io.verbs4j.types.VerbsException;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;

/// Translates errors into an [IOException], which DiSNI's callers expect. The message contains the operation, the
/// errno, the cause and the remedy.
final class Failures {
    private Failures() {}

    /// Runs a call outside the data path.
    static <T> T call(String operation, Callable<T> call) throws IOException {
        try {
            return call.call();
        } catch (IOException e) {
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(operation + " was interrupted", e);
        } catch (RuntimeException e) {
            throw translated(operation, e);
        } catch (Exception e) {
            throw new IOException(operation + " failed: " + e.getMessage(), e);
        }
    }

    /// Runs an action outside the data path.
    static void run(String operation, Runnable action) throws IOException {
        call(operation, Executors.callable(action));
    }

    static IOException translated(String operation, RuntimeException e) {
        return new IOException(
                e instanceof VerbsException ? e.getMessage() : operation + " failed: " + e.getMessage(), e);
    }
}
