// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import io.verbs4j.cm.stream.RdmaStream;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.tools.pingpong.PollPause;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Transfers over one stream, as in rstream. The client sends first.
final class RstreamRun implements StreamTransfers {
    private static final int GREETING = 16;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String SAME_OPTIONS = "both sides need the same -S, -C and -I";

    private final boolean client;
    private final boolean verify;
    /// Null to sleep until data arrive.
    private final @Nullable PollPause pause;
    private final MemorySegment buffer;
    private final StreamPattern pattern = new StreamPattern();

    /// @param most size of the largest transfer
    RstreamRun(boolean client, Set<StreamBench.Test> tests, int most) {
        this.client = client;
        this.verify = tests.contains(StreamBench.Test.VERIFY);
        this.pause = tests.contains(StreamBench.Test.BLOCKING) ? null : PollPause.ofLatency(TIMEOUT);
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
            receive(stream, buffer, bytes, pause);
            if (verify) {
                pattern.check(buffer, bytes);
            }
        }
    }

    /// Receives a number of bytes.
    ///
    /// @param pause for polling; null to sleep until data arrive
    /// @throws ToolException if the stream ends earlier, or nothing arrives for a minute
    static void receive(RdmaStream stream, MemorySegment buffer, int bytes, @Nullable PollPause pause)
            throws InterruptedException {
        int done = 0;
        while (done < bytes) {
            int count = pause == null
                    ? stream.read(buffer, done, bytes - done)
                    : poll(stream, buffer, done, bytes - done, pause);
            if (count < 0) {
                throw new ToolException("the peer ended the stream within a transfer", SAME_OPTIONS);
            }
            done += count;
        }
    }

    private static int poll(RdmaStream stream, MemorySegment buffer, int offset, int length, PollPause pause) {
        int count = stream.readNow(buffer, offset, length);
        while (count == 0) {
            if (!pause.pause()) {
                throw new ToolException("the peer has sent nothing for a minute", SAME_OPTIONS);
            }
            count = stream.readNow(buffer, offset, length);
        }
        pause.progress();
        return count;
    }
}
