import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..', '..');

/** The files that write advice. `src/plugin` does not use messages, so it writes advice itself. */
const WRITERS = ['src/model/messages/render.ts', 'src/plugin/server/advice.ts'];

test('advice is written only by the renderer of messages and by one file of the plugin', () => {
  const files = ['src', 'constructs'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts') && !name.startsWith('generated'))
      .map((name) => `${folder}/${name}`),
  );
  const found = files.filter((name) => /To do:/.test(readFileSync(join(ROOT, name), 'utf8')));
  expect(found.sort()).toEqual(WRITERS);
});
