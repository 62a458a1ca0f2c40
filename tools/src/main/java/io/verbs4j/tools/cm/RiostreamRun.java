// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import io.verbs4j.MemoryRegion;
import io.verbs4j.cm.stream.RdmaStream;
import io.verbs4j.tools.common.ToolException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;

/// Direct writes into each other's memory, as in riostream. The client writes first. The last byte of the buffer
/// contains the number of the transfer.
final class RiostreamRun implements StreamTransfers {
    private static final int GREETING = 16;
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(60);
    /// The pause between two checks whether the peer has ended. More checks would slow down the measurement.
    private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final String SAME_OPTIONS = "both sides need the same -S, -C and -I";
    private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle().withInvokeExactBehavior();

    private final boolean client;
    private final boolean verify;
    private final StreamPattern pattern = new StreamPattern();
    private final MemorySegment unexpected = MemorySegment.ofArray(new byte[1]);
    private byte turn;

    RiostreamRun(boolean client, boolean verify) {
        this.client = client;
        this.verify = verify;
    }

    @Override
    public long run(RdmaStream stream, RstreamTest test) throws InterruptedException {
        int bytes = test.bytes();
        turn = 0;
        try (MemoryRegion region = stream.map(0, bytes)) {
            MemorySegment buffer = region.segment();
            buffer.set(ValueLayout.JAVA_BYTE, bytes - 1, (byte) -1); // not a transfer's number
            greet(stream);
            long start = System.nanoTime();
            for (int i = 0; i < test.iterations(); i++) {
                if (client) {
                    send(stream, buffer, test);
                    receive(stream, buffer, bytes);
                } else {
                    receive(stream, buffer, bytes);
                    send(stream, buffer, test);
                }
            }
            return System.nanoTime() - start;
        }
    }

    /// Waits until both sides have mapped their memory.
    private void greet(RdmaStream stream) throws InterruptedException {
        var greeting = MemorySegment.ofArray(new byte[GREETING]);
        if (client) {
            stream.write(greeting);
            RstreamRun.receive(stream, greeting, GREETING, null);
        } else {
            RstreamRun.receive(stream, greeting, GREETING, null);
            stream.write(greeting);
        }
    }

    private void send(RdmaStream stream, MemorySegment buffer, RstreamTest test) throws InterruptedException {
        int bytes = test.bytes();
        for (int i = 0; i < test.transfers() - 1; i++) {
            stream.writeMapped(0, buffer, 0, bytes);
        }
        buffer.set(ValueLayout.JAVA_BYTE, bytes - 1, turn++);
        if (verify) {
            pattern.fill(buffer, bytes - 1);
        }
        stream.writeMapped(0, buffer, 0, bytes);
    }

    /// Waits for the peer's next transfer. Once the peer has ended, checks the buffer a last time, because the last
    /// write may have arrived before the end.
    private void receive(RdmaStream stream, MemorySegment buffer, int bytes) {
        byte awaited = turn++;
        long start = System.nanoTime();
        long checked = start;
        boolean ended = false;
        while ((byte) BYTE.getOpaque(buffer, (long) bytes - 1) != awaited) {
            long now = System.nanoTime();
            if (ended) {
                throw new ToolException("the peer ended its transfers early", SAME_OPTIONS);
            }
            if (now - start > TIMEOUT_NANOS) {
                throw new ToolException("the peer has written nothing for a minute", SAME_OPTIONS);
            }
            if (now - checked > CHECK_NANOS) {
                checked = now;
                ended = stream.readNow(unexpected, 0, 1) != 0;
            }
            Thread.onSpinWait();
        }
        VarHandle.acquireFence();
        if (verify) {
            pattern.check(buffer, bytes - 1);
        }
    }
}
