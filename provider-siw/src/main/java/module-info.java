// SPDX-License-Identifier: Apache-2.0
/// The provider for software iWARP (`siw`).
@SuppressWarnings("module") // the module named in the qualified export is compiled later
module io.verbs4j.siw {
    requires io.verbs4j.spi;
    requires static org.jspecify;

    exports io.verbs4j.siw to
            io.verbs4j.tools;

    provides io.verbs4j.spi.ProviderFactory with
            io.verbs4j.siw.SiwProviderFactory;
}
