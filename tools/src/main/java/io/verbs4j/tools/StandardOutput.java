// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// The process's standard output, which ends the process when it cannot be written: writers of Java swallow what a full disk or a
/// reader that has gone answers, and a command that nobody hears would go on.
final class StandardOutput extends OutputStream {
    private static final int FAILED = 1;
    /// The code that a shell reports of a program in C, which dies of SIGPIPE: no error to speak of.
    private static final int READER_GONE = 141;

    private final OutputStream file;
    private final AtomicBoolean reported = new AtomicBoolean();
    private volatile @Nullable IOException failure;

    StandardOutput(OutputStream file) {
        super();
        this.file = file;
    }

    /// Puts it in the place of `System.out`.
    static StandardOutput install() {
        var output = new StandardOutput(new FileOutputStream(FileDescriptor.out));
        System.setOut(new PrintStream(new BufferedOutputStream(output), true, System.out.charset()));
        return output;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[]{(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            file.write(bytes, offset, length);
        } catch (IOException e) {
            if (failure == null) {
                failure = e;
                // Not by this thread: whoever undoes things at the end may wait for it.
                Thread.ofPlatform().daemon().name("end").start(() -> System.exit(exitCode(0)));
            }
            throw e;
        }
    }

    /// Returns the exit code of a command that has ended with `code`, and says why it is another.
    int exitCode(int code) {
        IOException problem = failure;
        if (problem == null) {
            return code;
        }
        if (String.valueOf(problem.getMessage()).contains("Broken pipe")) {
            return READER_GONE;
        }
        if (reported.compareAndSet(false, true)) {
            System.err.println("verbs: cannot write to the standard output: " + problem.getMessage());
        }
        return FAILED;
    }
}
