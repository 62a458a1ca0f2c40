// SPDX-License-Identifier: Apache-2.0
// The menu on narrow screens, buttons that copy, and the search. The index is loaded when the search is first used.
(() => {
    const root = document.documentElement.dataset.root;
    const menu = document.getElementById('menu');
    const search = document.getElementById('search');
    const results = document.getElementById('results');
    const SHOWN = 20;

    menu.addEventListener('click', () => {
        const open = document.body.classList.toggle('menu-open');
        menu.setAttribute('aria-expanded', String(open));
    });
    const current = document.querySelector('nav [aria-current]');
    if (current && current.offsetParent !== null) {
        const nav = document.getElementById('contents');
        nav.scrollTop = current.offsetTop - nav.offsetTop - 100;
    }

    // A button that copies what a block says.
    for (const block of document.querySelectorAll('main pre:not(.source):not(.drawing)')) {
        const frame = document.createElement('div');
        frame.className = 'code';
        block.replaceWith(frame);
        const button = document.createElement('button');
        button.type = 'button';
        button.textContent = 'Copy';
        button.setAttribute('aria-label', 'Copy this block');
        button.addEventListener('click', async () => {
            try {
                await navigator.clipboard.writeText(block.textContent);
                button.textContent = 'Copied';
            } catch {
                // A page that was opened as a file has no clipboard in some browsers: select it instead.
                getSelection().selectAllChildren(block);
                button.textContent = 'Selected';
            }
            setTimeout(() => { button.textContent = 'Copy'; }, 1500);
        });
        frame.append(block, button);
    }

    let loading = false;
    function load(then) {
        if (window.searchIndex) {
            then();
        } else if (!loading) {
            loading = true;
            const script = document.createElement('script');
            script.src = root + 'assets/search-index.js';
            script.onload = show;
            document.head.append(script);
        }
    }

    function escaped(word) {
        return word.replace(/[\\^$.*+?()[\]{}|\/]/g, '\\$&');
    }

    // Every word must occur; titles count more than texts, and whole words more than parts.
    function score(entry, words) {
        const title = entry[1].toLowerCase();
        const text = entry[2].toLowerCase();
        let sum = 0;
        for (const word of words) {
            const inTitle = title.indexOf(word);
            const inText = text.indexOf(word);
            if (inTitle < 0 && inText < 0) {
                return 0;
            }
            const start = '(^|[^\\p{L}\\p{N}_])' + escaped(word);
            const begins = new RegExp(start, 'u');
            const whole = new RegExp(start + '($|[^\\p{L}\\p{N}_])', 'u');
            if (begins.test(title)) {
                sum += whole.test(title) ? 20 : 10;
            } else if (begins.test(text)) {
                sum += whole.test(text) ? 4 : 2;
            } else {
                sum += inTitle >= 0 ? 2 : 1;
            }
        }
        return sum + 1 / (1 + text.length / 500);
    }

    function excerpt(text, words) {
        const at = words.map(word => text.toLowerCase().indexOf(word)).filter(index => index >= 0);
        const from = Math.max(0, (at.length ? Math.min(...at) : 0) - 50);
        return (from > 0 ? '… ' : '') + text.slice(from, from + 160) + (from + 160 < text.length ? ' …' : '');
    }

    // The text as nodes, with what was looked for marked.
    function marked(text, words) {
        const span = document.createElement('span');
        const parts = words.map(escaped);
        for (const part of text.split(new RegExp('(' + parts.join('|') + ')', 'gi'))) {
            const node = words.includes(part.toLowerCase()) ? document.createElement('mark') : document.createElement('span');
            node.textContent = part;
            span.append(node);
        }
        return span;
    }

    function show() {
        const words = search.value.toLowerCase().split(/\s+/).filter(word => word);
        results.replaceChildren();
        results.hidden = words.length === 0;
        if (results.hidden || !window.searchIndex) {
            return;
        }
        const found = window.searchIndex
            .map(entry => ({entry, score: score(entry, words)}))
            .filter(hit => hit.score > 0)
            .sort((one, other) => other.score - one.score);
        const count = document.createElement('p');
        count.textContent = found.length === 0 ? 'Nothing found.' : found.length + (found.length === 1 ? ' place' : ' places');
        results.append(count);
        for (const hit of found.slice(0, SHOWN)) {
            const link = document.createElement('a');
            link.href = root + hit.entry[0];
            const title = document.createElement('b');
            title.append(marked(hit.entry[1], words));
            link.append(title, marked(excerpt(hit.entry[2], words), words));
            link.addEventListener('click', close);
            results.append(link);
        }
    }

    function close() {
        results.hidden = true;
        search.blur();
    }

    search.addEventListener('focus', () => load(show));
    search.addEventListener('input', () => load(show));
    document.addEventListener('keydown', event => {
        const links = [...results.querySelectorAll('a')];
        const at = links.indexOf(document.activeElement);
        if (event.key === 'Escape') {
            close();
        } else if (event.key === '/' && document.activeElement !== search) {
            event.preventDefault();
            search.focus();
        } else if (!results.hidden && links.length > 0 && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
            event.preventDefault();
            links[Math.max(0, Math.min(links.length - 1, at + (event.key === 'ArrowDown' ? 1 : -1)))].focus();
        } else if (event.key === 'Enter' && document.activeElement === search && links.length > 0) {
            links[0].click();
        }
    });
    document.addEventListener('click', event => {
        if (!results.contains(event.target) && event.target !== search) {
            results.hidden = true;
        }
    });
    // A search can be linked to: index.html?q=words
    const asked = new URLSearchParams(location.search).get('q');
    if (asked) {
        search.value = asked;
        load(show);
    }
})();
