// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.abi.memory.AdviseMemory;

/// Advice on preparing memory that is registered [on demand][io.verbs4j.types.Access#ON_DEMAND] (`enum
/// ib_uverbs_advise_mr_advice`).
///
/// @see <a href="https://man7.org/linux/man-pages/man3/ibv_advise_mr.3.html">ibv_advise_mr(3)</a>
public enum MemoryAdvice {
    /// Brings pages into memory for reading.
    PREFETCH(AdviseMemory.PREFETCH),
    /// Brings pages into memory for writing. The region must grant `LOCAL_WRITE`.
    PREFETCH_WRITE(AdviseMemory.PREFETCH_WRITE),
    /// Makes pages that are already in memory accessible to the device, without bringing in other pages.
    PREFETCH_NO_FAULT(AdviseMemory.PREFETCH_NO_FAULT);

    private final int value;

    MemoryAdvice(int value) {
        this.value = value;
    }

    int value() {
        return value;
    }
}
