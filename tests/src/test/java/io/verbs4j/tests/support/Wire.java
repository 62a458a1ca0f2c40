// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.Devices;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.host.Host;
import io.verbs4j.tests.card.CardMachine;

/// The two devices for tests that apply to any device: rxe0 and rxe1, or siw0 and siw1 if the system property
/// `verbs4j.tests.wire` is `siw`, or in a [Siw.Test]. If it is `mlx5`, the simulated rxe0 and rxe1 are cards
/// ([CardMachine]).
public final class Wire {
    private static final String ASKED_FOR = System.getProperty("verbs4j.tests.wire", "rxe");
    private static final boolean SIW_ASKED_FOR = "siw".equals(ASKED_FOR);
    private static final boolean MLX5 = "mlx5".equals(ASKED_FOR);

    private static boolean siw = SIW_ASKED_FOR;

    private Wire() {}

    /// Chooses siw for the tests of one class, or what was asked for from then on.
    static void useSiw(boolean chosen) {
        siw = chosen || SIW_ASKED_FOR;
    }

    /// Returns whether the devices are siw's: reliable connections by address, and nothing else.
    public static boolean isSiw() {
        return siw;
    }

    /// Returns whether the devices are simulated mlx5 cards.
    public static boolean isMlx5() {
        return MLX5;
    }

    /// Finds a device by its name.
    static Device find(String name) {
        return MLX5 ? CardMachine.find(Host.current(), name) : Devices.find(name);
    }

    /// Returns the expected length in the completion of a send or a write. The specification does not require one, and
    /// mlx5 reports none.
    ///
    /// @param bytes that were sent
    public static int bytesOfASend(int bytes) {
        return MLX5 ? 0 : bytes;
    }

    /// Returns the name of the left device.
    public static String left() {
        return siw ? Siw.LEFT : Rxe.LEFT;
    }

    /// Returns the name of the right device.
    public static String right() {
        return siw ? Siw.RIGHT : Rxe.RIGHT;
    }

    /// Opens the left device.
    public static Context open() {
        return Rxe.open(left());
    }

    /// Opens the left device's file, without a context.
    public static DeviceFile openFile() {
        return machine().open(Devices.find(left()).node());
    }

    private static Host machine() {
        return MLX5 ? CardMachine.of(Host.current()) : Host.current();
    }
}
