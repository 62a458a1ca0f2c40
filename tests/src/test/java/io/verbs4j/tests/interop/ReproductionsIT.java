// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Repository;
import io.verbs4j.tests.support.RocePort;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Runs the programs in `tools/reproductions`, which demonstrate defects of rxe to its maintainers without verbs4j. If
/// a kernel fixes a defect, its test fails.
@DeviceTest
@RealKernel("programs with pyverbs")
@Needs.OneKernel("defects differ; RxeQuirksIT shows on each kernel which of them it has")
@Needs.LongRun("pyverbs starts for each")
class ReproductionsIT {
    private static final Duration LIMIT = Duration.ofSeconds(120);

    private static void assertShown(String program, String output) {
        var end = ExternalProcess.pyverbs(
                Repository.tool("reproductions").resolve(program),
                "rxe0", "10.9.0.1", "rxe1", "10.9.0.2", "veth1")
                .run(LIMIT);
        assertThat(end.output()).isEqualTo(output);
        assertThat(end.exitCode()).isEqualTo(1);
    }

    @Test
    void anAtomicCompletesWithoutItsFormerValue() {
        assertShown("atomic-without-value.py", """
            work request 1: status 0
            work request 2: status 0
            the former value is 7; the requester has 99
            """);
    }

    @Test
    void aMisalignedAtomicEndsBothEnds() {
        assertShown("misaligned-atomic.py", """
            work request 1: status 9
            both ends are in ERR
            """);
    }

    @Test
    void aDatagramOverTheMtuSucceedsAndIsNotSent() {
        assertShown("datagram-over-mtu.py", """
            work request 1: status 0
            5000 bytes with an MTU of at most 4096: 0 packets
            """);
    }

    @Test
    void aFencedRequestWaitsForALaterRead() {
        assertShown("fence-waits-for-itself.py", "0 of 2 work requests completed in 4 s on a sound wire\n");
    }

    @Test
    void aSharedReceiveQueueOfAnotherDomainIsOfNoUse() {
        assertShown("foreign-shared-queue.py", """
            work request 1: status 2
            memory of the shared receive queue is not found
            """);
    }

    @Test
    void anotherQueuePairInvalidatesAWindow() {
        assertShown("foreign-window.py", """
            work request 1: status 0
            work request 2: status 0
            invalidated through another queue pair
            """);
    }

    @Test
    void anAnswerGoesOnInTheNextConnection() {
        assumeTrue(Kernel.goesOnWithAnswersAfterReset(), "this kernel forgets the answer");
        assertShown("interrupted-answer.py", """
            work request 2: status 0
            a write to memory that nobody may write to succeeded
            """);
    }

    @Test
    void anInvalidationThatIsFlushedIsDone() {
        assumeTrue(Kernel.invalidatesBehindFailedSends(), "this kernel does not do it");
        assertShown("flushed-invalidation.py", """
            work request 1: status 0
            work request 2: status 12
            work request 3: status 5
            work request 4: status 10
            the window is free, though its invalidation was flushed
            """);
    }

    @Test
    void theDeletionOfAnInterfaceClosesThePortOfAllDevices() {
        assumeTrue(Kernel.closesThePortOfAllDevices(), "this kernel keeps the port");
        int references = RocePort.references();
        try {
            assertShown("removed-interface.py", "UDP port 4791 is closed; rxe0 and rxe1 are still there\n");
        } finally {
            RocePort.restore(references);
        }
    }

    @Test
    void receivesPostedInErrAreNotFlushed() {
        assertShown("receives-in-err.py", "0 of 1 receives flushed\n");
    }

    @Test
    void aWindowDoesNotEndWhereItIsBound() {
        assertShown("window-reaches-region.py", """
            work request 1: status 0
            work request 2: status 0
            the window has 64 bytes; behind them stands 7
            """);
    }

    @Test
    void anAtomicWriteThatIsSentAgainGoesToAddressZero() {
        assumeTrue(Kernel.hasFlushAndAtomicWrite(), "rxe has atomic writes since 6.2");
        assertShown("atomic-write-sent-again.py", """
            work request 1: status 10
            a remote access error
            """);
    }

    @Test
    void pagedMemoryIsWrittenAtTheStartOfItsPage() {
        assumeTrue(Kernel.hasOnDemandPaging(), "rxe pages on demand since 6.15");
        assertShown("paged-memory-at-page-start.py", """
            work request 1: status 0
            64 bytes written to offset 256 of a page; they stand at 0
            """);
    }

    @Test
    void aReadCompletesThoughMostOfItsDataHasNotCome() {
        assumeTrue(Kernel.completesReadsAtStrayAcknowledgements(), "this kernel waits for the rest");
        assertShown("stray-acknowledgement.py", """
            work request 1: status 0
            work request 2: status 0
            completed with success with 1024 of 3072 bytes
            """);
    }

    @Test
    @Needs.LongRun("the kernel holds the destruction up, and pyverbs starts twice")
    void aWindowHoldsUpTheDestructionOfItsQueuePair() {
        assertShown("window-outlives-queue-pair.py", """
            work request 1: status 0
            the queue pair was destroyed after more than 5 seconds
            """);
    }
}
