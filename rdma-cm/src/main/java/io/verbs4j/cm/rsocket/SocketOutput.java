// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.rsocket;

import io.verbs4j.types.VerbsException;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// The bytes that go, as an output stream.
final class SocketOutput extends OutputStream {
    private final RdmaSocket socket;

    SocketOutput(RdmaSocket socket) {
        this.socket = socket;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[]{(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, source.length);
        try {
            socket.write(MemorySegment.ofArray(source).asSlice(offset, length));
        } catch (InterruptedException e) {
            throw SocketInput.interrupted();
        } catch (VerbsException | IllegalStateException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
