// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.rsocket;

import io.verbs4j.types.VerbsException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// The bytes that come, as an input stream.
final class SocketInput extends InputStream {
    private final RdmaSocket socket;

    SocketInput(RdmaSocket socket) {
        this.socket = socket;
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
            return (int) socket.read(MemorySegment.ofArray(target).asSlice(offset, length));
        } catch (InterruptedException e) {
            throw interrupted();
        } catch (VerbsException | IllegalStateException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    @Override
    public int available() {
        return socket.available();
    }

    @Override
    public void close() {
        socket.close();
    }

    static InterruptedIOException interrupted() {
        Thread.currentThread().interrupt();
        return new InterruptedIOException("interrupted");
    }
}
