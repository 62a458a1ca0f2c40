// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import io.verbs4j.simulator.engine.Task;

/// A packet in flight: the fields of all its headers. It is encoded only for captures and taps, and for a wire that
/// corrupts it.
public final class Packet implements Task, Cloneable {
    static final byte[] NOTHING = {};
    /// Low 24 bits.
    static final int PSN_MASK = 0xff_ffff;

    // Fields of the IP and UDP headers.
    final Address source;
    final Address destination;
    int sourcePort;
    int hopLimit;
    int trafficClass;
    int flowLabel;

    // BTH
    final int opcode;
    boolean solicited;
    boolean asksForAcknowledgement;
    int queuePair;
    int psn;

    // RETH and AtomicETH
    long remoteAddress;
    int key;
    int length;
    long swapOrAdd;
    long compare;

    // FETH
    int flushType;
    int flushLevel;

    // ImmDt or IETH
    int data;

    // DETH
    int qkey;
    int sourceQueuePair;

    // AETH and AtomicAckETH
    int syndrome;
    int messages;
    long original;

    byte[] payload = NOTHING;
    /// Device at which it arrives.
    private RxeDevice receiver;

    Packet(int opcode, Path path, RxeDevice sender) {
        this.opcode = opcode;
        this.source = path.source();
        this.destination = path.destination();
        this.hopLimit = path.hopLimit();
        this.trafficClass = path.trafficClass();
        this.flowLabel = path.flowLabel();
        this.receiver = sender;
    }

    /// Returns whether it has one of several properties of [Opcode].
    boolean is(int properties) {
        return (Opcode.properties(opcode) & properties) != 0;
    }

    /// Returns whether it has all of several properties of [Opcode].
    boolean isAll(int properties) {
        return (Opcode.properties(opcode) & properties) == properties;
    }

    /// Returns the source address.
    public Address source() {
        return source;
    }

    /// Returns the destination address.
    public Address destination() {
        return destination;
    }

    /// Returns a copy for another receiver.
    public Packet copyTo(RxeDevice device) {
        try {
            return ((Packet) clone()).to(device);
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    /// Sets the receiver.
    public Packet to(RxeDevice device) {
        receiver = device;
        return this;
    }

    /// Delivers the packet to its receiver.
    @Override
    public void run() {
        receiver.receive(this);
    }

    /// Compares two sequence numbers across their wrap-around: negative, 0 or positive.
    static int compare(int left, int right) {
        return (left - right) << 8;
    }

    /// Returns the next sequence number.
    static int next(int number) {
        return (number + 1) & PSN_MASK;
    }
}
