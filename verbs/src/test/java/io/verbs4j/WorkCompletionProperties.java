// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.spi.Completion;
import io.verbs4j.types.CompletionStatus;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/// Whatever stands in a completion, reading it gives values and throws nothing.
class WorkCompletionProperties {
    @Property
    void anythingCanBeReadKeptAndPrinted(
            @ForAll long id, @ForAll long outcome, @ForAll long length, @ForAll long data, @ForAll long source,
            @ForAll long path) {
        var words = new Completion();
        words.set(id, (int) outcome, (int) (outcome >>> 32), (int) length, (int) (length >>> 32), (int) (data >>> 32))
                .carried((int) (source >>> 32), (int) data)
                .path((int) source, (char) path, (char) (path >>> 16), (byte) (path >>> 32) & 0xff,
                        (byte) (path >>> 40) & 0xff);
        var completion = new WorkCompletion(words);
        CompletionRecord kept = completion.toRecord();
        assertThat(kept.workRequestId()).isEqualTo(id);
        assertThat(kept.status().value()).isEqualTo(completion.statusCode()).isEqualTo((int) outcome);
        assertThat(kept.opcode().value()).isEqualTo(completion.opcode()).isEqualTo((int) (outcome >>> 32));
        assertThat(kept.isSuccess()).isEqualTo(completion.isSuccess()).isEqualTo((int) outcome == 0);
        assertThat(kept.byteLength()).isEqualTo(completion.byteLength());
        assertThat(kept.immediateDataOrKey())
                .isEqualTo(completion.immediateData())
                .isEqualTo(completion.invalidatedKey());
        assertThat(kept.pkeyIndex()).isEqualTo(completion.pkeyIndex()).isBetween(0, 0xffff);
        assertThat(kept.sourceLid()).isEqualTo(completion.sourceLid()).isBetween(0, 0xffff);
        assertThat(kept.serviceLevel()).isEqualTo(completion.serviceLevel()).isBetween(0, 0xff);
        assertThat(kept.pathBits()).isEqualTo(completion.pathBits()).isBetween(0, 0xff);
        assertThat(kept.isReceive()).isEqualTo(completion.isReceive());
        assertThat(kept.statusCode()).isEqualTo(completion.statusCode());
        assertThat(kept.immediateData()).isEqualTo(completion.immediateData());
        assertThat(kept.invalidatedKey()).isEqualTo(completion.invalidatedKey());
        assertThat(completion.toString()).isEqualTo(kept.toString()).contains("work request " + id);
    }

    /// Codes that have a name, and others near them, of which the text says the number.
    @Property
    void codesWithoutANameArePrintedAsNumbers(
            @ForAll @IntRange(min = -2, max = 300) int status, @ForAll @IntRange(min = -2, max = 300) int opcode) {
        var words = new Completion();
        words.set(1, status, opcode, 0, 0, 0);
        CompletionRecord kept = new WorkCompletion(words).toRecord();
        boolean success = status == CompletionStatus.SUCCESS.value();
        boolean named = success ? kept.opcode().known() : kept.status().known();
        String unknown = "UNKNOWN(" + (success ? opcode : status) + ")";
        assertThat(kept.toString().contains(unknown)).isEqualTo(!named);
    }
}
