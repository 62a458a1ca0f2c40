// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.OpenFile;
import io.verbs4j.spi.ProviderFactory;
import io.verbs4j.tests.support.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

/// A provider that no real device has run says so, to programs and in the table of features.
class ExperimentalProvidersTest {
    @Test
    void sayThatTheyAre() throws IOException {
        String features = Files.readString(Repository.file("docs/features.md"));
        int experimental = 0;
        for (ProviderFactory provider : ServiceLoader.load(ProviderFactory.class)) {
            var device = OpenFile.device(provider.driverId(), provider.minimumAbiVersion());
            assertThat(device.providerName()).contains(provider.name());
            assertThat(device.isExperimental()).as(provider.name()).isEqualTo(provider.isExperimental());
            assertThat(features.contains(" | " + provider.name() + ", no card |"))
                    .as("the features' column of %s says that no card has run it", provider.name())
                    .isEqualTo(provider.isExperimental());
            experimental += provider.isExperimental() ? 1 : 0;
        }
        assertThat(experimental).isEqualTo(1);
        assertThat(OpenFile.device(12345, 1).isExperimental()).as("without a provider").isFalse();
    }
}
