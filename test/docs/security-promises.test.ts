import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const manifest = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> };

/** What holds a promise up: files of tests, and scripts of the package. */
function holdersIn(text: string): readonly string[] {
  return [...text.matchAll(/`(?:(test\/[^`]+)|npm run ([\w:]+))`/g)].map(
    ([, file, script]) => file ?? `npm run ${script}`,
  );
}

function isThere(holder: string): boolean {
  const script = /^npm run (.*)$/.exec(holder)?.[1];
  return script === undefined ? existsSync(join(ROOT, holder)) : script in manifest.scripts;
}

/** The promises of SECURITY.md, and the boundaries of the threat model, by how they begin. */
const promises = [
  ...section(read('SECURITY.md'), '## What the package promises').split(/^- /m).slice(1),
  ...section(read('docs/security.md'), '## Boundaries').split(/^### /m).slice(1),
].map((text): [string, string] => [text.slice(0, 40).replace(/\s+/g, ' '), text]);

/** The text below a heading, to the next one of its level. */
function section(page: string, heading: string): string {
  const [, text = ''] = page.split(`${heading}\n`);
  return text.split(/^## /m)[0]!;
}

test('there are promises', () => {
  expect(promises.length).toBeGreaterThan(15);
});

test.each(promises)('a test holds up: %s', (_, text) => {
  expect(holdersIn(text)).not.toEqual([]);
  expect(holdersIn(text).filter((holder) => !isThere(holder))).toEqual([]);
});
