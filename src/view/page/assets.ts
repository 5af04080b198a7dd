import { PICTURE_STYLE } from '../picture/svg';
import { pageFile, plotFile } from './page-files';

/** A file of the page. */
interface Asset {
  readonly contentType: string;
  readonly content: string;
}

const [HTML, SCRIPT, STYLE] = ['text/html', 'text/javascript', 'text/css'].map(
  (type) => `${type}; charset=utf-8`,
) as [string, string, string];

type Assets = Readonly<Record<string, () => Asset>>;

const SHARED: Assets = {
  'show.js': () => ({ contentType: SCRIPT, content: pageFile('show.js') }),
  'page.css': () => ({ contentType: STYLE, content: `${pageFile('page.css')}\n${PICTURE_STYLE}\n` }),
  'uplot.js': () => ({ contentType: SCRIPT, content: plotFile('uPlot.esm.js') }),
  'uplot.css': () => ({ contentType: STYLE, content: plotFile('uPlot.min.css') }),
};

const PAGES = {
  status: {
    ...SHARED,
    '': () => page('Vault clusters', 'page.js'),
    'page.js': () => ({ contentType: SCRIPT, content: pageFile('page.js') }),
  },
  emulator: {
    ...SHARED,
    '': () => page('Emulated Vault clusters', 'emulator.js'),
    'emulator.js': () => ({ contentType: SCRIPT, content: pageFile('emulator.js') }),
  },
} satisfies Record<string, Assets>;

/**
 * Returns a file of a page.
 *
 * @param name empty for the page itself.
 * @returns `undefined` if the page does not have the file.
 */
export function pageAsset(page: keyof typeof PAGES, name: string): Asset | undefined {
  const assets: Assets = PAGES[page];
  return Object.hasOwn(assets, name) ? assets[name]?.() : undefined;
}

/** The page may not load anything from other origins, and no other page may frame it. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** Returns the HTML file that both pages share. The script of the emulator adds its own parts. */
function page(title: string, script: string): Asset {
  const content = pageFile('page.html').replaceAll('{{title}}', title).replaceAll('{{script}}', script);
  return { contentType: HTML, content };
}
