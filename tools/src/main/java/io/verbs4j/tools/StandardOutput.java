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

/// Standard output that ends the process when writing fails. Java's writers ignore errors such as a full disk or a
/// closed pipe, so a command without a reader would continue.
final class StandardOutput extends OutputStream {
    private static final int FAILED = 1;
    /// The exit code that a shell reports for a C program killed by SIGPIPE. This is not considered an error.
    private static final int READER_GONE = 141;

    private final OutputStream file;
    private final AtomicBoolean reported = new AtomicBoolean();
    private volatile @Nullable IOException failure;

    StandardOutput(OutputStream file) {
        super();
        this.file = file;
    }

    /// Installs an instance as `System.out`.
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
                // In another thread, because a shutdown hook may wait for this one.
                Thread.ofPlatform().daemon().name("end").start(() -> System.exit(exitCode(0)));
            }
            throw e;
        }
    }

    /// Returns the exit code of a command that ended with `code`, and reports a failure of the output.
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
