// SPDX-License-Identifier: Apache-2.0
/// The experimental provider for NVIDIA's ConnectX cards (`mlx5_ib`): equal to libmlx5 byte for byte as far as
/// compared, and never run on a card.
@SuppressWarnings("module") // the module named in the qualified export is compiled later
module io.verbs4j.mlx5 {
    requires io.verbs4j.spi;
    requires static org.jspecify;

    exports io.verbs4j.mlx5 to
            io.verbs4j.tools;

    provides io.verbs4j.spi.ProviderFactory with
            io.verbs4j.mlx5.Mlx5ProviderFactory;
}
