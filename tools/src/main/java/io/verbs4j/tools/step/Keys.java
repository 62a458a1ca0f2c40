// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.step;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Waits for key presses. On a terminal, `stty` enables single keys. Elsewhere, each line counts as a key.
final class Keys implements AutoCloseable {
    private final @Nullable InputStream input;
    private final PrintWriter out;
    /// The terminal's previous settings as printed by `stty`; null if they were not changed.
    private final @Nullable String before;
    private final Stty stty;
    private final @Nullable Thread restorer;

    /// The program `stty`.
    interface Stty {
        /// Runs it.
        ///
        /// @return its output; null if it fails
        @Nullable
        String run(String... arguments);
    }

    private Keys(@Nullable InputStream input, PrintWriter out, @Nullable String before, Stty stty) {
        this.input = input;
        this.out = out;
        this.before = before;
        this.stty = stty;
        this.restorer = before == null ? null : Thread.ofPlatform().unstarted(() -> stty.run(before));
        if (restorer != null) {
            Runtime.getRuntime().addShutdownHook(restorer); // for Ctrl-C
        }
    }

    /// Returns an instance that never waits.
    static Keys none() {
        return new Keys(null, new PrintWriter(PrintWriter.nullWriter()), null, Keys::stty);
    }

    /// Returns the keys of standard input.
    static Keys ofTerminal(PrintWriter out) {
        return of(System.in, out, Keys::stty);
    }

    /// Returns the keys of an input: one per line unless `stty` knows it as a terminal.
    static Keys of(InputStream input, PrintWriter out, Stty stty) {
        String before = stty.run("-g");
        if (before != null && stty.run("-icanon", "-echo", "min", "1") == null) {
            before = null;
        }
        return new Keys(input, out, before, stty);
    }

    /// Waits for a key.
    ///
    /// @return false if the key means quit
    boolean next() {
        if (input == null) {
            return true;
        }
        out.print(before == null ? "[Enter] continues, q and [Enter] quit: " : "-- any key continues, q quits --");
        out.flush();
        try {
            int key = input.read();
            boolean end = key == 'q' || key == 'Q';
            for (int rest = key; before == null && rest >= 0 && rest != '\n';) {
                rest = input.read();
            }
            out.print("\r                                   \r\n");
            return !end; // the end of the input counts as a key
        } catch (IOException e) {
            return false;
        }
    }

    /// Runs `stty` on the standard input.
    ///
    /// @return its output; null if it failed because the input is not a terminal
    private static @Nullable String stty(String... arguments) {
        var command = new String[arguments.length + 1];
        command[0] = "stty";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        try {
            Process process = new ProcessBuilder(command)
                    .redirectInput(ProcessBuilder.Redirect.INHERIT)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return process.waitFor() == 0 ? printed : null;
        } catch (IOException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    @Override
    public void close() {
        if (before != null && restorer != null) {
            stty.run(before);
            Runtime.getRuntime().removeShutdownHook(restorer);
        }
    }
}
