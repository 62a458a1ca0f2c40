// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import java.lang.foreign.StructLayout;
import java.util.List;

/// The C structs that this provider shares with the kernel, each as a `StructLayout` whose names are the C names: for
/// tests that compare them with the headers or with a running kernel's type information, and for tracers that print a
/// ring's contents field by field.
///
/// A union that has no name in C has none here.
public final class RxeStructs {
    private static final List<StructLayout> ALL = List.of(
            RxeQueueBuf.LAYOUT,
            RxeSendWqe.LAYOUT,
            RxeSendWr.LAYOUT,
            RxeRecvWqe.LAYOUT,
            RxeDmaInfo.LAYOUT,
            RxeSge.LAYOUT,
            RxeAv.LAYOUT,
            RxeCqe.LAYOUT,
            RxeMminfo.LAYOUT,
            RxeCreateCqResp.LAYOUT,
            RxeResizeCqResp.LAYOUT,
            RxeCreateQpResp.LAYOUT,
            RxeCreateSrqResp.LAYOUT,
            RxeModifySrqCmd.LAYOUT,
            RxeCreateAhResp.LAYOUT);

    private RxeStructs() {}

    /// All structs.
    public static List<StructLayout> all() {
        return ALL;
    }
}
