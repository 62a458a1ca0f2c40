// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import io.verbs4j.cm.stream.RdmaStream;
import io.verbs4j.tools.common.ToolException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Transfers over one stream, as in rstream. The client sends first.
final class RstreamRun implements StreamTransfers {
    private static final int GREETING = 16;

    private final boolean client;
    private final boolean verify;
    private final MemorySegment buffer;
    private final StreamPattern pattern = new StreamPattern();

    /// @param most size of the largest transfer
    RstreamRun(boolean client, boolean verify, int most) {
        this.client = client;
        this.verify = verify;
        this.buffer = Arena.ofAuto().allocate(Math.max(most, GREETING));
    }

    @Override
    public long run(RdmaStream stream, RstreamTest test) throws InterruptedException {
        transfer(stream, client, GREETING);
        transfer(stream, !client, GREETING);
        long start = System.nanoTime();
        for (int i = 0; i < test.iterations(); i++) {
            transfers(stream, client, test);
            transfers(stream, !client, test);
        }
        return System.nanoTime() - start;
    }

    private void transfers(RdmaStream stream, boolean sends, RstreamTest test) throws InterruptedException {
        for (int i = 0; i < test.transfers(); i++) {
            transfer(stream, sends, test.bytes());
        }
    }

    private void transfer(RdmaStream stream, boolean sends, int bytes) throws InterruptedException {
        if (sends) {
            if (verify) {
                pattern.fill(buffer, bytes);
            }
            stream.write(buffer, 0, bytes);
        } else {
            receive(stream, bytes);
            if (verify) {
                pattern.check(buffer, bytes);
            }
        }
    }

    private void receive(RdmaStream stream, int bytes) throws InterruptedException {
        receive(stream, buffer, bytes);
    }

    /// Receives a number of bytes.
    ///
    /// @throws ToolException if the stream ends earlier
    static void receive(RdmaStream stream, MemorySegment buffer, int bytes) throws InterruptedException {
        int done = 0;
        while (done < bytes) {
            int count = stream.read(buffer, done, bytes - done);
            if (count < 0) {
                throw new ToolException(
                        "the peer ended the stream within a transfer",
                        "both sides need the same -S, -C and -I");
            }
            done += count;
        }
    }
}
