/** Checks that links between pages lead to a target, in a clone and in the package. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { packed } from '../package/support/tarball';
import { ROOT } from './support/page';

const FENCED = /^ *```[^]*?^ *```$/gm;
const CODE = /`[^`\n]*`/g;
const LINK = /\]\(([^)\s]+)\)/g;

const pages = [
  ...readdirSync(ROOT),
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map((path) => `docs/${path}`),
].filter((path) => path.endsWith('.md'));

interface Link {
  readonly page: string;
  readonly written: string;
  /** The path from the root of the project. */
  readonly path: string;
  readonly anchor: string;
}

/** Returns all links that do not lead to another host. */
const links = pages.flatMap((page) => {
  const prose = textOf(page).replaceAll(FENCED, '').replaceAll(CODE, '');
  return [...prose.matchAll(LINK)]
    .map(([, written]) => written!)
    .filter((written) => !/^[a-z]+:/.test(written))
    .map((written): Link => {
      const [path = '', anchor = ''] = written.split('#');
      return { page, written, path: path ? posix.join(posix.dirname(page), path) : page, anchor };
    });
});

test('the documentation has pages, and links on them', () => {
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/guides/first-policy.md']));
  expect(links.length).toBeGreaterThan(50);
});

test('the target of each link exists', () => {
  const broken = links.filter(({ path }) => !statSync(join(ROOT, path), { throwIfNoEntry: false }));
  expect(broken).toEqual([]);
});

test('the anchor of each link exists on its page', () => {
  const broken = links.filter(({ path, anchor }) => anchor && !anchorsOf(path).has(anchor));
  expect(broken).toEqual([]);
});

test('the files that the pages for contributors name exist', () => {
  const folders = ['src', 'constructs', 'test', 'scripts', 'docs'];
  const files = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  );
  const named = ['CONTRIBUTING.md', 'docs/architecture.md'].flatMap((page) =>
    [...textOf(page).matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|mjs))`/g)].map(([, file = '']) => file),
  );
  expect(named.length).toBeGreaterThan(40);
  const unknown = named.filter((name) => !files.some((file) => file === name || file.endsWith(`/${name}`)));
  expect(unknown).toEqual(['src/a/b.ts']);
});

test('the targets of links on pages of the package are in the package', async () => {
  const { paths } = await packed();
  const isPacked = (path: string) => paths.some((each) => each === path || each.startsWith(`${path}/`));
  const packedLinks = links.filter(({ page }) => isPacked(page));
  expect(packedLinks.filter(({ path }) => !isPacked(path.replace(/\/$/, '')))).toEqual([]);
});

function textOf(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}

/**
 * The anchors that a Markdown viewer gives the headings of a page, and those that the page sets
 * itself.
 */
function anchorsOf(page: string): ReadonlySet<string> {
  const anchors = new Set([...textOf(page).matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id!));
  for (const [, heading] of textOf(page)
    .replaceAll(FENCED, '')
    .matchAll(/^#+ (.+)$/gm)) {
    const slug = heading!
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-');
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}
