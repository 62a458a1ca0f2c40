// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.rsocket;

import io.verbs4j.cm.rsocket.RdmaSocket;
import io.verbs4j.tools.ToolException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Sends and receives what `rstream` measures, over one stream.
final class RstreamRun {
    private static final int SYNC_BYTES = 16;

    private final RdmaSocket socket;
    private final boolean client;
    private final boolean verify;
    private final MemorySegment buffer;
    private byte nextSent;
    private byte nextReceived;
    private long verified;

    /// @param largest the largest transfer
    RstreamRun(RdmaSocket socket, boolean client, boolean verify, int largest) {
        this.socket = socket;
        this.client = client;
        this.verify = verify;
        this.buffer = Arena.ofAuto().allocate(Math.max(largest, SYNC_BYTES));
    }

    /// Takes the time of a test.
    ///
    /// @return nanoseconds
    long run(RstreamTest test) throws InterruptedException {
        transfer(client, SYNC_BYTES);
        transfer(!client, SYNC_BYTES);
        long start = System.nanoTime();
        for (int i = 0; i < test.iterations(); i++) {
            for (int t = 0; t < test.transfers(); t++) {
                transfer(client, test.size());
            }
            for (int t = 0; t < test.transfers(); t++) {
                transfer(!client, test.size());
            }
        }
        return System.nanoTime() - start;
    }

    private void transfer(boolean send, int size) throws InterruptedException {
        if (send) {
            send(size);
        } else {
            receive(size);
        }
    }

    private void send(int size) throws InterruptedException {
        if (verify) {
            for (int i = 0; i < size; i++) {
                buffer.set(ValueLayout.JAVA_BYTE, i, nextSent++);
            }
        }
        socket.write(buffer.asSlice(0, size));
    }

    private void receive(int size) throws InterruptedException {
        for (long done = 0; done < size;) {
            long read = socket.read(buffer.asSlice(done, size - done));
            if (read < 0) {
                throw new ToolException("the peer ended the stream in the middle of a transfer",
                        "both sides need the same -S, -C and -I");
            }
            done += read;
        }
        for (int i = 0; verify && i < size; i++, verified++) {
            if (buffer.get(ValueLayout.JAVA_BYTE, i) != nextReceived++) {
                throw new ToolException("data verification failed byte " + verified, "both sides need -T v");
            }
        }
    }
}
