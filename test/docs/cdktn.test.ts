/** Checks that pages that show how to install, import or run cdktf show the same for cdktn. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './support/page';

/** The parts of a page that are left out in the package for cdktn. */
const PASSAGE = /<!-- cdktf only -->\n([^]*?)<!-- end of cdktf only -->\n/g;
/** Code and commands of cdktf that are different with cdktn. */
const OF_CDKTF =
  /\bcdktf (?:deploy|synth|diff|init|install)\b|from 'cdktf|from cdktf|(?:npm|pip) install [^`\n]*cdktf/;
/** The commands of cdktf whose versions or names are different with cdktn. */
const COMMAND = /^(?:npm install .*\bcdktf(?:-cli)?@.*|npx cdktf .*)$/gm;

const pages = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs', 'guides')).map((name) => `docs/guides/${name}`),
];
const texts = pages.map((page) => ({ page, text: readFileSync(join(ROOT, page), 'utf8') }));

const passagesOf = (text: string) => [...text.matchAll(PASSAGE)].map(([, passage]) => passage!);
const withoutPassages = (text: string) => text.replaceAll(PASSAGE, '');

/** Returns a command in the form for cdktn. */
function rewritten(lines: readonly string[]): readonly string[] {
  const code =
    "import { FLAVOURS } from './scripts/flavours/flavours.mjs';" +
    'console.log(JSON.stringify(JSON.parse(process.argv[1]).map(FLAVOURS.cdktn.rewrite)));';
  const args = ['--input-type=module', '-e', code, JSON.stringify(lines)];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' })) as string[];
}

const affected = texts.filter(({ text }) => OF_CDKTF.test(withoutPassages(text)));

test('the search finds the pages that show cdktf', () => {
  expect(affected.map(({ page }) => page)).toEqual(
    expect.arrayContaining(['README.md', 'docs/guides/first-policy.md', 'docs/guides/pipelines.md']),
  );
  expect(affected.length).toBeGreaterThan(10);
});

test.each(affected)('the page $page explains the difference with cdktn', ({ text }) => {
  expect(passagesOf(text).join('')).toMatch(/`cdktn[-_]vault[-_]admin/);
});

test('each command to install or run cdktf is followed by the command for cdktn', () => {
  const commands = affected.flatMap(({ page, text }) =>
    [...withoutPassages(text).matchAll(COMMAND)].map(([command]) => ({ page, text, command })),
  );
  expect(commands.length).toBeGreaterThan(3);
  const missing = rewritten(commands.map(({ command }) => command)).flatMap((expected, index) => {
    const { page, text } = commands[index]!;
    return passagesOf(text).some((passage) => passage.includes(`\`${expected}\``))
      ? []
      : [`${page}: ${expected}`];
  });
  expect(missing).toEqual([]);
});
