// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.cm.MessagePair;
import io.verbs4j.types.Access;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Over siw, the bytes of a write may only be overwritten after the completion of the write itself.
@Timeout(60)
class IwarpOutboxTest {
    @Test
    void eachWriteIsReported() throws InterruptedException {
        var options = StreamOptions.defaults();
        try (var pair = new MessagePair()) {
            var memory = StreamMemory.allocate(pair.domain, options, 1);
            var peer = pair.there.protectionDomain().allocate(64, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
            IwarpOutbox.postReceives(pair.there, StreamMemory.allocate(pair.there.protectionDomain(), options, 1), 1);
            var outbox = new IwarpOutbox(pair.here, memory, 1);

            outbox.writeSilently(7, memory.sendAddress(0), 64, peer.address(), peer.remoteKey());
            outbox.write(
                    StreamProtocol.UNREPORTED, memory.sendAddress(0), 64, peer.address(), peer.remoteKey(), 1);

            var completed = new ArrayList<Long>();
            while (completed.size() < 2
                    && pair.hereQueue.poll(
                            2, completion -> {
                                assertThat(completion.isSuccess()).isTrue();
                                completed.add(completion.workRequestId());
                            }, Duration.ofSeconds(5)) > 0) {
                // polls on
            }
            assertThat(completed).containsExactly(7L, StreamProtocol.UNREPORTED);
        }
    }
}
