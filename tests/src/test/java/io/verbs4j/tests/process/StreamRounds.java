// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.process;

import io.verbs4j.cm.stream.RdmaStream;
import io.verbs4j.cm.stream.RdmaStreamServer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// Round trips between two streams without a group, in one thread, which waits in the completion queues.
final class StreamRounds implements AutoCloseable {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress("10.9.0.2", 22_010);

    private final RdmaStream here;
    private final RdmaStream there;
    private final MemorySegment bytes = Arena.ofAuto().allocate(64);

    private StreamRounds(RdmaStream here, RdmaStream there) {
        this.here = here;
        this.there = there;
    }

    static StreamRounds open() throws InterruptedException, ExecutionException {
        try (var server = RdmaStreamServer.listen(ADDRESS)) {
            var connecting = new FutureTask<>(() -> RdmaStream.connect(ADDRESS));
            Thread.ofVirtual().start(connecting);
            RdmaStream accepted = server.accept();
            return new StreamRounds(connecting.get(), accepted);
        }
    }

    void run(int count) {
        try {
            for (int i = 0; i < count; i++) {
                transfer(here, there);
                transfer(there, here);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void transfer(RdmaStream from, RdmaStream to) throws InterruptedException {
        from.write(bytes);
        if (to.read(bytes) != bytes.byteSize()) {
            throw new IllegalStateException("part of a message");
        }
    }

    @Override
    public void close() {
        here.close();
        there.close();
    }
}
