// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.cm.stream.RdmaStreamServer;
import io.verbs4j.cm.stream.StreamEndpoint;
import io.verbs4j.cm.stream.StreamGroup;
import io.verbs4j.cm.stream.StreamOptions;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.LeakCheck;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.types.ResourceLimitException;
import java.io.File;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Many streams that share devices, descriptors and a limit of memory.
@DeviceTest
@Needs.OneKernel
class StreamGroupIT {
    private static final int PAIRS = 20;

    private final StreamGroup group = StreamGroup.create(1 << 20);
    private final StreamOptions options = StreamOptions.defaults()
            .withConnectTimeout(Steps.LONG)
            .withBuffers(4096, 4096)
            .withMessages(16)
            .withGroup(group);
    private final BlockingQueue<StreamEndpoint> accepted = new LinkedBlockingQueue<>();
    private final List<StreamEndpoint> all = new ArrayList<>();

    @AfterEach
    void leavesNothing() throws Exception {
        for (StreamEndpoint stream : all) {
            stream.close();
        }
        for (StreamEndpoint stream : all) {
            stream.closed().get(Steps.LONG.toSeconds(), TimeUnit.SECONDS);
        }
        assertThat(group.ringBytes()).isZero();
        group.close();
        LeakCheck.awaitNothingOfConnections();
    }

    private RdmaStreamServer listen() {
        RdmaStreamServer server = RdmaStreamServer.listen(CmAddress.right(), options);
        server.acceptEach(4, accepted::add);
        return server;
    }

    private StreamEndpoint connect(RdmaStreamServer server) throws InterruptedException {
        StreamEndpoint here = StreamEndpoint.connect(server.localAddress(), options);
        all.add(here);
        return here;
    }

    private StreamEndpoint accepted() throws InterruptedException {
        StreamEndpoint there = accepted.poll(Steps.LONG.toSeconds(), TimeUnit.SECONDS);
        assertThat(there).isNotNull();
        all.add(there);
        return there;
    }

    /// @return descriptors of this process; 0 where that is not to be seen
    private static int descriptors() {
        String[] open = new File("/proc/self/fd").list();
        return open == null ? 0 : open.length;
    }

    @Test
    void furtherStreamsNeedOneDescriptorEach() throws Exception {
        try (RdmaStreamServer server = listen()) {
            connect(server);
            accepted();
            int before = descriptors();
            for (int i = 1; i < PAIRS; i++) {
                connect(server);
                accepted();
            }
            assertThat(descriptors() - before).isLessThanOrEqualTo(2 * PAIRS);
            assertThat(group.ringBytes()).isGreaterThanOrEqualTo(2L * PAIRS * 8192);
        }
    }

    @Test
    void theGroupsThreadFindsWhatArrivesThoughNobodyPolls() throws Exception {
        try (RdmaStreamServer server = listen()) {
            StreamEndpoint here = connect(server);
            StreamEndpoint there = accepted();
            for (int i = 0; i < 200; i++) {
                var ready = new CountDownLatch(1);
                there.onReady(() -> {
                    if (there.isReadable()) {
                        ready.countDown();
                    }
                });
                assertThat(here.awaitWritable(Steps.LONG)).isTrue();
                long written = here.write(new ByteBuffer[]{ByteBuffer.allocate(512)}, 0, 1);
                assertThat(written).isEqualTo(512);
                assertThat(ready.await(Steps.LONG.toSeconds(), TimeUnit.SECONDS)).as("message %s", i).isTrue();
                assertThat(there.read(ByteBuffer.allocate(2000))).isEqualTo(512);
            }
        }
    }

    @Test
    void beyondTheLimitOfMemoryAStreamIsRefusedAndTheOthersGoOn() throws Exception {
        try (
                RdmaStreamServer server = listen();
                StreamGroup small = StreamGroup.create(12_000)) {
            StreamOptions few = options.withGroup(small);
            StreamEndpoint here = StreamEndpoint.connect(server.localAddress(), few);
            all.add(here);
            StreamEndpoint there = accepted();
            assertThatThrownBy(() -> StreamEndpoint.connect(server.localAddress(), few))
                    .isInstanceOf(ResourceLimitException.class)
                    .hasMessageContaining("StreamOptions.withBuffers");
            assertThat(here.awaitWritable(Steps.LONG)).isTrue();
            assertThat(here.write(new ByteBuffer[]{ByteBuffer.allocate(10)}, 0, 1)).isEqualTo(10);
            assertThat(there.awaitReadable(Steps.LONG)).isTrue();
            assertThat(there.read(ByteBuffer.allocate(100))).isEqualTo(10);
            here.close();
            here.closed().get(Steps.LONG.toSeconds(), TimeUnit.SECONDS);
            assertThat(small.ringBytes()).isZero();
        }
    }
}
