// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import io.verbs4j.types.QueuePairType;
import java.util.ArrayList;
import java.util.List;

/// The plan of a test, with all defaults filled in by perftest's rules.
///
/// @param test the test
/// @param client whether this end is the client
/// @param connection the transport
/// @param sizes message sizes in bytes, with a measurement of each
/// @param iterations number of messages to measure per queue pair; 0 for a timed test
/// @param seconds duration of a measurement; 0 to count messages
/// @param sendDepth maximum number of outstanding sends per queue pair
/// @param receiveDepth number of posted receives per queue pair; 0 if none are needed
/// @param moderation number of sends per completion
/// @param list number of work requests per doorbell
/// @param inline maximum size of an inline message in bytes
/// @param queuePairs number of queue pairs
/// @param bidirectional whether both ends send
/// @param events whether to sleep until events report completions, instead of polling
/// @param peak whether to measure the peak bandwidth
record PerfPlan(
        PerfTest test,
        boolean client,
        QueuePairType connection,
        List<Integer> sizes,
        int iterations,
        int seconds,
        int sendDepth,
        int receiveDepth,
        int moderation,
        int list,
        int inline,
        int queuePairs,
        boolean bidirectional,
        boolean events,
        boolean peak) {
    private static final int DEFAULT_RECEIVES = 512;
    private static final int MAX_UNRELIABLE_RECEIVES = 16_000;
    private static final int DEFAULT_MODERATION = 100;
    /// Size in bytes above which each message has a completion by default.
    private static final int LARGE = 8192;
    /// Largest size of `--all`, in bytes.
    private static final int LARGEST = 1 << 23;

    /// Returns the plan for options.
    ///
    /// @throws IllegalArgumentException if options contradict each other; the message is for the user
    static PerfPlan of(PerfOptions options) {
        PerfTest test = options.test;
        check(options);
        int iterations = options.duration != null
                ? 0
                : options.iterations == null ? test.defaultIterations() : options.iterations;
        int sendDepth = options.sendDepth == null ? test.defaultSendDepth() : options.sendDepth;
        if (iterations > 0) {
            sendDepth = Math.min(sendDepth, iterations);
        }
        if (sendDepth < options.list) {
            throw new IllegalArgumentException("-t " + sendDepth + " is less than -l " + options.list);
        }
        if (iterations % options.list != 0) {
            throw new IllegalArgumentException("-n must be a multiple of -l");
        }
        // Otherwise a list may end without a completion, and its sends would occupy the room of the next list.
        if (options.list > 1 && options.moderation != null && options.list % options.moderation != 0) {
            throw new IllegalArgumentException("-l must be a multiple of -Q");
        }
        int size = options.size == null ? test.defaultSize() : options.size;
        return new PerfPlan(
                test,
                options.host != null,
                options.connection,
                options.all ? powers() : List.of(size),
                iterations,
                options.duration == null ? 0 : options.duration,
                sendDepth,
                receiveDepth(options, iterations),
                moderation(options, size, sendDepth),
                options.list,
                options.inline,
                options.queuePairs,
                options.bidirectional,
                options.events,
                !options.noPeak);
    }

    private static void check(PerfOptions options) {
        Operation operation = options.test.operation();
        boolean fits = switch (options.connection) {
            case RC -> true;
            case UC -> !operation.isFetching();
            case UD -> operation == Operation.SEND;
            default -> false;
        };
        require(fits, options.connection + " has no " + options.test.commandName());
        require(!options.connectByAddress || options.connection != QueuePairType.UC, "-R connects RC and UD alone");
        require(operation != Operation.ATOMIC || ((options.size == null || options.size == Long.BYTES) && !options.all),
                "atomics have 8 bytes");
        require(!operation.isFetching() || options.inline == 0, "-I is for tests of sends and writes");
        require(operation == Operation.SEND || options.receiveDepth == null, "-r is for tests of sends");
        require(!options.test.isLatency() || options.list == 1, "-l is for bandwidth tests");
        require(!options.test.isLatency() || options.queuePairs == 1, "-q is for bandwidth tests");
        require(!options.test.isLatency() || !options.bidirectional, "-b is for bandwidth tests");
        require(options.test != PerfTest.WRITE_LAT || !options.events,
                "write-lat looks at memory, which has no events");
        require(options.test.isLatency() || !options.average, "--average is for latency tests");
        require(!options.test.isLatency() || options.iterations == null || options.iterations > 1,
                "a latency test needs -n 2 or more: it measures the time between two messages");
        require(options.duration == null || !options.average, "-D does not go with --average");
        require(options.duration == null || !options.all, "-D does not go with -a");
        require(options.duration == null || !options.events, "-D does not go with -e");
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }

    private static List<Integer> powers() {
        var sizes = new ArrayList<Integer>();
        for (int size = 2; size <= LARGEST; size *= 2) {
            sizes.add(size);
        }
        return sizes;
    }

    private static int receiveDepth(PerfOptions options, int iterations) {
        if (options.test.operation() != Operation.SEND) {
            return 0;
        }
        int depth = options.receiveDepth == null ? DEFAULT_RECEIVES : options.receiveDepth;
        if (iterations == 0) {
            return depth;
        }
        // Unreliable transports lose a message if no receive is posted.
        if (options.connection != QueuePairType.RC && options.receiveDepth == null) {
            return Math.min(iterations, MAX_UNRELIABLE_RECEIVES);
        }
        return Math.min(depth, iterations);
    }

    private static int moderation(PerfOptions options, int size, int sendDepth) {
        int moderation = options.moderation == null ? DEFAULT_MODERATION : options.moderation;
        if (options.moderation == null) {
            if (options.list > 1) {
                moderation = options.list;
            } else if (size > LARGE && options.connection != QueuePairType.UD && !options.all && !options.events) {
                moderation = 1;
            }
        }
        return Math.min(moderation, sendDepth);
    }

    /// Returns whether this end sends, writes, reads or executes atomics.
    boolean isActive() {
        return client || bidirectional || (test.isLatency() && !test.operation().isFetching());
    }

    /// Returns whether this end receives.
    boolean isReceiving() {
        return test.operation() == Operation.SEND && (!client || bidirectional || test.isLatency());
    }

    /// Returns the number of messages that this end sends and receives in a bandwidth test; 0 for a timed test.
    ///
    /// @param perPair number of messages per queue pair; 0 for a timed test
    long bandwidthMessages(long perPair) {
        return perPair * queuePairs * (isActive() && isReceiving() ? 2 : 1);
    }

    int largestSize() {
        return sizes.getLast();
    }

    PerfPlan with(List<Integer> newSizes) {
        return new PerfPlan(
                test,
                client,
                connection,
                newSizes,
                iterations,
                seconds,
                sendDepth,
                receiveDepth,
                moderation,
                list,
                inline,
                queuePairs,
                bidirectional,
                events,
                peak);
    }
}
