// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RefusedRegistrationTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        # address | length | iova | access | causes
        0x1000 | 0      | 0x1000  | 0x1      | length=0
        0      | 0      | 0       | 0        | length=0
        -0x10  | 0x10   | -0x10   | 0x1      | the driver refuses address=0xfffffffffffffff0 length=16 \
        access=[LOCAL_WRITE]
        -0x10  | 0x11   | -0x10   | 0x1      | address=0xfffffffffffffff0 and length=17 wrap around
        0x1001 | 1      | 0x2002  | 0x1      | iova=0x2002 is at another offset in its page than address=0x1001
        0x1001 | 1      | 0x5001  | 0x2      | [REMOTE_WRITE] without local write: add LOCAL_WRITE
        0x1001 | 1      | 0x5001  | 0x8      | [REMOTE_ATOMIC] without local write: add LOCAL_WRITE
        0x1001 | 1      | 0x5001  | 0x40000001 | accessFlags has unknown bits: 0x40000000
        0x1001 | 1      | 0x5001  | 0x41     | this kernel or driver lacks [ON_DEMAND]
        0x1000 | 0      | 1       | 0xa      | length=0; iova=0x1 is at another offset in its page than \
        address=0x1000; [REMOTE_WRITE, REMOTE_ATOMIC] without local write: add LOCAL_WRITE
        0x1001 | 1      | 0x1001  | 0x10001f | the driver refuses address=0x1001 length=1 access=[LOCAL_WRITE, \
        REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC, MEMORY_WINDOW_BIND, RELAXED_ORDERING]
        """)
    void causesAreTheMistakes(String address, String length, String iova, String access, String causes) {
        assertThat(RefusedRegistration.explain(
                Long.decode(address), Long.decode(length), Long.decode(iova), Integer.decode(access)))
                .isEqualTo(causes);
    }
}
