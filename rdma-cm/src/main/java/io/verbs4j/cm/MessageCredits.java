// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

/// Counts how many messages each end may send: as many as the other has free receives. Not thread-safe.
///
/// An end that has nothing to send announces credits by an empty message once they are half of its window. So at most two of these are
/// outstanding, and [#SPARE] receives suffice for them.
final class MessageCredits {
    /// Receives beside the window, for messages that only announce credits.
    static final int SPARE = 2;
    /// The credits of a peer that announces none.
    static final int UNLIMITED = Integer.MAX_VALUE;

    private final int window;
    private int peersWindow;
    private int available;
    private int unannounced;

    /// @param window receives of this end
    MessageCredits(int window) {
        this.window = window;
    }

    /// Begins with all receives of the peer.
    void begin(int count) {
        peersWindow = count;
        available = count;
    }

    /// Returns how many messages the peer has room for.
    int available() {
        return available;
    }

    /// Takes one to send a message.
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

    /// Gives one back that was taken for a message that was not sent.
    void untake() {
        if (peersWindow != UNLIMITED) {
            available++;
        }
    }

    /// Adds credits that the peer has announced.
    ///
    /// @return false if they are more than it can have
    boolean add(int count) {
        if (count < 0 || count > peersWindow - available) {
            return false;
        }
        available += count;
        return true;
    }

    /// Notes that a receive of this end is free again.
    void free() {
        unannounced++;
    }

    /// Returns whether so many receives are free again that the peer has to know without delay.
    boolean isDue() {
        return unannounced >= (window + 1) / 2;
    }

    /// Returns whether the peer knows of all receives that are free again.
    boolean isAnnounced() {
        return unannounced == 0;
    }

    /// Returns how many messages the peer has not given back the receives of. Those of all earlier ones were taken by its program.
    int untaken() {
        return peersWindow == UNLIMITED ? UNLIMITED : peersWindow - available;
    }

    /// Takes all that the peer does not know of, to announce them.
    int announce() {
        int count = unannounced;
        unannounced = 0;
        return count;
    }

    /// Takes an announcement back that was not sent.
    void unannounce(int count) {
        unannounced += count;
    }
}
