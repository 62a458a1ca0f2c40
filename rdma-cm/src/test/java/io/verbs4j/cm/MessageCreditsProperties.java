// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/// Checks properties of credits while two ends send, receive and take messages in any order.
class MessageCreditsProperties {
    /// A message in flight, with the credits that it announces.
    private record Sent(boolean ofProgram, int credits) {}

    private static final class End {
        final MessageCredits credits;
        final int window;
        final Deque<Sent> arriving = new ArrayDeque<>();
        int inbox;

        End(int window) {
            this.window = window;
            this.credits = new MessageCredits(window);
        }

        /// Returns the number of posted receives: all receives except those whose messages are in the inbox.
        int receives() {
            return window + MessageCredits.SPARE - inbox;
        }
    }

    private static boolean send(End from, End to) {
        if (!from.credits.take()) {
            return false;
        }
        to.arriving.add(new Sent(true, from.credits.announce()));
        return true;
    }

    private static void receive(End end) {
        Sent sent = end.arriving.remove();
        assertThat(end.credits.add(sent.credits)).isTrue();
        end.inbox += sent.ofProgram ? 1 : 0;
    }

    private static void take(End end, End peer) {
        end.inbox--;
        end.credits.free();
        if (end.credits.isDue()) {
            peer.arriving.add(new Sent(false, end.credits.announce()));
        }
    }

    @Property(tries = 500)
    void noMessageMeetsAMissingReceiveAndNoSenderWaitsInVain(
            @ForAll @IntRange(min = 1, max = 9) int left,
            @ForAll @IntRange(min = 1, max = 9) int right,
            @ForAll long seed) {
        var ends = new End[]{new End(left), new End(right)};
        ends[0].credits.begin(right);
        ends[1].credits.begin(left);
        var random = new Random(seed);
        for (int step = 0; step < 300; step++) {
            int which = random.nextInt(2);
            End end = ends[which];
            End peer = ends[1 - which];
            switch (random.nextInt(3)) {
                case 0 -> send(end, peer);
                case 1 -> {
                    if (!end.arriving.isEmpty()) {
                        receive(end);
                    }
                }
                default -> {
                    if (end.inbox > 0) {
                        take(end, peer);
                    }
                }
            }
            for (End each : ends) {
                assertThat(each.arriving).as("messages for the receives that are posted")
                        .hasSizeLessThanOrEqualTo(each.receives());
            }
        }
        // After both programs have taken all messages, both ends can send.
        for (int which : new int[]{0, 1, 0, 1}) {
            while (!ends[which].arriving.isEmpty()) {
                receive(ends[which]);
            }
            while (ends[which].inbox > 0) {
                take(ends[which], ends[1 - which]);
            }
        }
        assertThat(send(ends[0], ends[1])).isTrue();
        assertThat(send(ends[1], ends[0])).isTrue();
    }

    @Property(tries = 100)
    void moreThanThePeerCanHaveIsRefused(@ForAll @IntRange(min = 1, max = 9) int window, @ForAll int announced) {
        var credits = new MessageCredits(window);
        credits.begin(window);
        credits.take();
        assertThat(credits.add(announced)).isEqualTo(announced == 0 || announced == 1);
    }
}
