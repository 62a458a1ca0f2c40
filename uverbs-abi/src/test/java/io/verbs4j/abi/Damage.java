// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi;

import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/// Valid input of which some parts were changed, truncated or moved. A parser must survive it.
public final class Damage {
    private static final int MAX_CHANGES = 6;
    private static final byte[] EXTREMES = {0, 1, 4, 16, 0x7f, (byte) 0x80, (byte) 0xff};

    private Damage() {}

    /// Damaged copies of one of the originals.
    public static Arbitrary<byte[]> of(byte[]... originals) {
        return Arbitraries.randomValue(random -> damage(originals[random.nextInt(originals.length)], random))
                .dontShrink();
    }

    private static byte[] damage(byte[] original, Random random) {
        byte[] bytes = original.clone();
        for (int changes = 1 + random.nextInt(MAX_CHANGES); changes > 0 && bytes.length > 0; changes--) {
            int at = random.nextInt(bytes.length);
            int length = Math.min(1 << random.nextInt(4), bytes.length - at);
            switch (random.nextInt(6)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(Byte.SIZE));
                case 1 -> Arrays.fill(bytes, at, at + length, EXTREMES[random.nextInt(EXTREMES.length)]);
                case 2 -> bytes[at] = (byte) random.nextInt();
                case 3 -> System.arraycopy(bytes, at, bytes, random.nextInt(bytes.length - length + 1), length);
                case 4 -> bytes[at] += (byte) (random.nextInt(9) - 4);
                default -> {
                    if (random.nextInt(4) == 0) {
                        bytes = Arrays.copyOf(bytes, random.nextBoolean() ? at : bytes.length + length);
                    }
                }
            }
        }
        return bytes;
    }
}
