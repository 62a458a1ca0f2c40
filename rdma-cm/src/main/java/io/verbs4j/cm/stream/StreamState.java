// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

/// The states of one end of a stream.
enum StreamState {
    /// Both directions carry data.
    OPEN,
    /// The peer sends no more data; this end may.
    INPUT_ENDED,
    /// This end sends no more data; the peer may.
    OUTPUT_ENDED,
    /// Neither end sends more data. Credits still travel.
    BOTH_ENDED,
    /// The peer has closed its end, or the connection broke after the peer had ended its output. Bytes that have
    /// arrived can be read.
    PEER_CLOSED,
    /// The connection broke, or the peer violated the protocol. Bytes that arrived before can be read.
    BROKEN,
    /// The program has closed this end, which still sends the bytes that it has accepted.
    CLOSING,
    /// This end is closed, and sends nothing more.
    CLOSED;

    /// Returns whether sent bytes can still arrive.
    boolean isStanding() {
        return switch (this) {
            case OPEN, INPUT_ENDED, OUTPUT_ENDED, BOTH_ENDED, CLOSING -> true;
            case PEER_CLOSED, BROKEN, CLOSED -> false;
        };
    }

    /// Returns whether the program may still use this end.
    boolean isOpen() {
        return this != CLOSING && this != CLOSED;
    }

    /// Returns whether a reader that has read all bytes is at the end of the stream.
    boolean isInputEnded() {
        return this == INPUT_ENDED || this == BOTH_ENDED || this == PEER_CLOSED;
    }

    /// Returns whether the program has ended its output.
    boolean isOutputEnded() {
        return this == OUTPUT_ENDED || this == BOTH_ENDED;
    }

    StreamState afterPeersEnd() {
        return switch (this) {
            case OPEN -> INPUT_ENDED;
            case OUTPUT_ENDED -> BOTH_ENDED;
            case INPUT_ENDED, BOTH_ENDED, PEER_CLOSED, BROKEN, CLOSING, CLOSED -> this;
        };
    }

    StreamState afterOwnEnd() {
        return switch (this) {
            case OPEN -> OUTPUT_ENDED;
            case INPUT_ENDED -> BOTH_ENDED;
            case OUTPUT_ENDED, BOTH_ENDED, PEER_CLOSED, BROKEN, CLOSING, CLOSED -> this;
        };
    }

    StreamState afterPeersClose() {
        return switch (this) {
            case OPEN, INPUT_ENDED, OUTPUT_ENDED, BOTH_ENDED -> PEER_CLOSED;
            case CLOSING -> CLOSED;
            case PEER_CLOSED, BROKEN, CLOSED -> this;
        };
    }

    StreamState afterBreak() {
        return switch (this) {
            case OPEN, OUTPUT_ENDED -> BROKEN;
            case INPUT_ENDED, BOTH_ENDED -> PEER_CLOSED;
            case CLOSING -> CLOSED;
            case PEER_CLOSED, BROKEN, CLOSED -> this;
        };
    }
}
