// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// Adapts a stream's output to [java.io].
final class StreamOutput extends OutputStream {
    private final RdmaStream stream;

    StreamOutput(RdmaStream stream) {
        this.stream = stream;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[]{(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, source.length);
        try {
            stream.write(MemorySegment.ofArray(source), offset, length);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted while writing to " + stream).initCause(e);
        } catch (RuntimeException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        stream.close();
    }
}
