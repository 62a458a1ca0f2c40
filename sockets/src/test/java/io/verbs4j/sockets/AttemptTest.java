// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.sockets.SocketRules.Transport;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Attempts to connect that end in an unusual way.
class AttemptTest {
    @Test
    void anErrorIsReportedToTheThreadThatWaits() throws Exception {
        var context = SocketContext.shared();
        var ended = new CountDownLatch(1);
        var attempt = new Attempt(
                context, Transport.RDMA_OR_TCP, Places.RDMA.address(), context.options(), () -> {
                    throw new StackOverflowError("as of a small stack");
                }, ended::countDown);
        assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
        assertThatThrownBy(() -> attempt.await(10_000)).isInstanceOf(IOException.class)
                .hasRootCauseInstanceOf(StackOverflowError.class);
        assertThat(attempt.isDone()).isTrue();
    }
}
