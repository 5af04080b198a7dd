import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { platform } from '../support/terraform';
import { blocksOf, ROOT, type Block } from './support/page';
import { follow } from './support/reader';
import { Terminal } from './support/terminal';

const PAGE = 'README.md';
/** Snippets of these sections are parts of programs of their own. */
const LIBRARIES = ['The emulator', 'The client'];

const isFirstApp = (block: Block) => !isSnippet(block) && !isForClones(block);
const isSnippet = ({ heading, language }: Block) => LIBRARIES.includes(heading) && language === 'ts';
const isForClones = ({ heading }: Block) => heading === 'In a clone';

test('following it to the letter gives the results that it shows', async () => {
  const terminal = new Terminal();
  try {
    await follow(PAGE, terminal, {
      passesOver: (block) => !isFirstApp(block),
      replacements: { linux_amd64: platform() },
    });

    const [emulator, client] = blocksOf(PAGE).filter(isSnippet);
    writeFileSync(
      join(terminal.folder, 'emulator.ts'),
      program(`${emulator!.text}\nconsole.log(address, rootToken);`),
    );
    writeFileSync(join(terminal.folder, 'client.ts'), program(client!.text));
    const { code, text } = await terminal.run(
      'npx tsc && node main.js && node emulator.js && node client.js',
    );
    expect({ code, text }).toEqual({
      code: 0,
      text: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+ \S+\npath "secret\/data\/app\/\*" \{$/m),
    });
  } finally {
    await terminal.close();
  }
});

test('names scripts for clones that there are', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const [commands] = blocksOf(PAGE).filter(isForClones);
  const named = commands!.text.split('\n').filter(Boolean);
  expect(
    named.map((line) => /^npm (?:run )?(\w+)/.exec(line)?.[1]).filter((name) => !scripts[name!]),
  ).toEqual([]);
});

/** A snippet that awaits, with its imports before it, as a program. */
function program(snippet: string): string {
  const lines = snippet.split('\n');
  const imports = lines.filter((line) => line.startsWith('import '));
  const body = lines.filter((line) => !line.startsWith('import '));
  return [...imports, 'void (async () => {', ...body, '})();', ''].join('\n');
}
