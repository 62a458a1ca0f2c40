// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

/// Counts how many messages each end may send: as many as its peer has free receives. Not thread-safe.
///
/// Each message announces the receives that have become free. If half of an end's receives are free but not announced,
/// the end announces them with an empty message. Therefore at most two empty messages are outstanding, and [#SPARE]
/// receives suffice for them.
final class MessageCredits {
    /// Receives beyond the window, for messages that only announce credits.
    static final int SPARE = 2;
    /// The credits of a peer that announces none.
    static final int UNLIMITED = Integer.MAX_VALUE;

    private final int window;
    private int peersWindow;
    private int available;
    private int unannounced;

    /// @param window number of receives of this end
    MessageCredits(int window) {
        this.window = window;
    }

    /// Sets the number of the peer's receives, which is also the initial number of credits.
    void begin(int count) {
        peersWindow = count;
        available = count;
    }

    /// Returns the number of messages that the peer has room for.
    int available() {
        return available;
    }

    /// Takes a credit to send a message.
    ///
    /// @return false if none is left
    boolean take() {
        if (available == 0) {
            return false;
        }
        if (peersWindow != UNLIMITED) {
            available--;
        }
        return true;
    }

    /// Restores the credit of a message that was not sent.
    void giveBack() {
        if (peersWindow != UNLIMITED) {
            available++;
        }
    }

    /// Adds credits that the peer has announced.
    ///
    /// @return false if the total would exceed the number of the peer's receives
    boolean add(int count) {
        if (count < 0 || count > peersWindow - available) {
            return false;
        }
        available += count;
        return true;
    }

    /// Records that a receive of this end is free again.
    void free() {
        unannounced++;
    }

    /// Returns whether so many receives have become free that an empty message should announce them.
    boolean isDue() {
        return unannounced >= (window + 1) / 2;
    }

    /// Returns whether all free receives have been announced to the peer.
    boolean isAnnounced() {
        return unannounced == 0;
    }

    /// Returns the number of messages whose receives the peer has not announced as free again. The peer's program has
    /// taken all earlier messages.
    int unconfirmed() {
        return peersWindow == UNLIMITED ? UNLIMITED : peersWindow - available;
    }

    /// Takes all credits that have not been announced, so that the caller can announce them.
    int announce() {
        int count = unannounced;
        unannounced = 0;
        return count;
    }

    /// Restores the credits of an announcement that was not sent.
    void unannounce(int count) {
        unannounced += count;
    }
}
