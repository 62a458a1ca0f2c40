// SPDX-License-Identifier: Apache-2.0
package com.example;

import io.verbs4j.Context;
import io.verbs4j.Devices;
import io.verbs4j.types.Access;
import io.verbs4j.types.VerbsException;

/// Uses the API as far as a machine without a device lets it.
public final class Consumer {
    private Consumer() {}

    /// Lists the devices, and fails to open one that is not there.
    public static void main(String[] arguments) {
        System.out.println("devices: " + Devices.list().size());
        try (Context context = Devices.open("nowhere0")) {
            context.allocateProtectionDomain().allocate(4096, Access.LOCAL_WRITE);
        } catch (VerbsException e) {
            System.out.println("error: " + e.errno());
        }
        System.out.println("provider: " + provider());
    }

    private static boolean provider() {
        try {
            Class.forName("io.verbs4j.rxe.RxeProviderFactory");
            return true;
        } catch (ClassNotFoundException e) {
            return ModuleLayer.boot().findModule("io.verbs4j.rxe").isPresent();
        }
    }
}
