// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.JavaProcess;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Posting and polling allocate nothing: not little, nothing.
@DeviceTest
@RealKernel("the data path alone: what a simulated device allocates is its own")
@Needs.OneKernel
@Needs.LongRun("the optimizing compiler is slow under emulation; RxeContractTest shows the same of rings without a device")
class AllocationIT {
    private static final Duration LIMIT = Duration.ofSeconds(180);

    @SuppressWarnings("NullAway.Init") // by run()
    private static Answers answers;

    /// A process with the optimizing compiler, which the other tests do without, and an impatient one.
    @BeforeAll
    static void run() {
        answers = Answers.of(ExternalProcess.of(
                JavaProcess.optimizing(AllocationProbe.class))
                .run(LIMIT));
    }

    @Test
    void isZeroPerWriteAndCompletion() {
        assertThat(answers.to("writes")).isEqualTo("0 bytes in 20000 rounds");
    }

    @Test
    void isZeroPerWriteLikeAValue() {
        assertThat(answers.to("writes like a value")).isEqualTo("0 bytes in 10000 rounds");
    }

    @Test
    void isZeroPerMessageSentReceivedAndPolled() {
        assertThat(answers.to("messages")).isEqualTo("0 bytes in 10000 rounds");
    }

    /// By way of buffers, credits and a pump.
    @Test
    @Needs.LongRun("a process of its own: a thread that polls on one processor waits milliseconds for the kernel's thread, each time")
    void isZeroPerMessageOfAChannel() {
        var command = new ArrayList<>(JavaProcess.optimizing(AllocationProbe.class));
        command.add("credits");
        assertThat(Answers.of(ExternalProcess.of(command).run(LIMIT)).to("messages with credits"))
                .isEqualTo("0 bytes in 2000 rounds");
    }

    /// Counts the bytes of all threads; less than one byte per round trip counts as zero.
    @Test
    @Needs.LongRun("a process of its own")
    void isZeroPerRoundTripOfASocketOrStream() {
        var command = new ArrayList<>(JavaProcess.optimizing(AllocationProbe.class));
        command.add("sockets");
        Answers sockets = Answers.of(ExternalProcess.of(command).run(LIMIT));
        assertThat(sockets.to("blocking sockets")).isEqualTo("0 bytes in 1000 rounds");
        assertThat(sockets.to("sockets with a selector")).isEqualTo("0 bytes in 1000 rounds");
        assertThat(sockets.to("streams")).isEqualTo("0 bytes in 1000 rounds");
    }
}
