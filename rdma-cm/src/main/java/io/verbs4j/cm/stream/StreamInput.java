// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// Adapts a stream's input to [java.io].
final class StreamInput extends InputStream {
    private final RdmaStream stream;

    StreamInput(RdmaStream stream) {
        this.stream = stream;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        try {
            return stream.read(MemorySegment.ofArray(target), offset, length);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted while reading from " + stream).initCause(e);
        } catch (RuntimeException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    @Override
    public int available() {
        return stream.available();
    }

    @Override
    public void close() {
        stream.close();
    }
}
