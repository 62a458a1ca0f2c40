# SPDX-License-Identifier: Apache-2.0
"""Parts of pictures in SVG."""


def text(x, y, anchor, content, colour='#222'):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{content}</text>'
