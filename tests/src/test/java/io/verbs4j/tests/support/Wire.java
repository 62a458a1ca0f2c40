// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import io.verbs4j.Context;
import io.verbs4j.Devices;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.host.Host;

/// The two devices that the tests for any device run on: rxe0 and rxe1, or siw0 and siw1 if the system property
/// `verbs4j.tests.wire` says `siw`, or in a [Siw.Test].
public final class Wire {
    private static final boolean SIW_ASKED_FOR = "siw".equals(System.getProperty("verbs4j.tests.wire"));

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
        return Host.current().open(Devices.find(left()).node());
    }
}
