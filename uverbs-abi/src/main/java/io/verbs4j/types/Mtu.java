// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// Path MTU: the largest payload of one packet (`enum ibv_mtu`).
public enum Mtu {
    /// `IBV_MTU_256`.
    MTU_256(1),
    /// `IBV_MTU_512`.
    MTU_512(2),
    /// `IBV_MTU_1024`: the active MTU of rxe if the Ethernet MTU is 1500.
    MTU_1024(3),
    /// `IBV_MTU_2048`.
    MTU_2048(4),
    /// `IBV_MTU_4096`: on rxe, needs an Ethernet MTU of at least 4176.
    MTU_4096(5);

    private final int value;

    Mtu(int value) {
        this.value = value;
    }

    /// Returns the kernel's number, 1 to 5.
    public int value() {
        return value;
    }

    /// Returns the payload bytes of a packet, 256 to 4096.
    public int bytes() {
        return 128 << value;
    }

    /// Returns the MTU for a kernel number.
    ///
    /// @throws IllegalArgumentException if the value is not 1 to 5
    public static Mtu of(int value) {
        if (value < 1 || value > values().length) {
            throw new IllegalArgumentException("not an MTU code: value=" + value);
        }
        return values()[value - 1];
    }

    /// Returns the MTU for a number of bytes.
    ///
    /// @throws IllegalArgumentException if it is not 256, 512, 1024, 2048 or 4096
    public static Mtu ofBytes(int bytes) {
        for (Mtu mtu : values()) {
            if (mtu.bytes() == bytes) {
                return mtu;
            }
        }
        throw new IllegalArgumentException("an MTU is 256, 512, 1024, 2048 or 4096 bytes: bytes=" + bytes);
    }

    /// Returns the smaller of two MTUs: the MTU of a path between ends with `this` and `other`.
    public Mtu min(Mtu other) {
        return value <= other.value ? this : other;
    }
}
