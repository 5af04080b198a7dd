import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ASSUMPTIONS, type Assumption } from '../../src/emulator';

const FOLDER = join(__dirname, '..', '..', 'src', 'emulator');

/** What the code of the emulator takes from the list. */
const taken = new Set(
  readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && file !== 'assumptions.ts')
    .flatMap((file) => [...readFileSync(join(FOLDER, file), 'utf8').matchAll(/\bASSUMPTIONS\.(\w+)\b/g)])
    .map(([, name]) => name),
);

describe.each(Object.entries<Assumption>(ASSUMPTIONS))('%s', (name, { what, choice, ...values }) => {
  it('is read by the code', () => {
    expect([...taken]).toContain(name);
    expect(Object.keys(values)).not.toEqual([]);
  });

  it('says in sentences what is open and what is done', () => {
    expect([what, choice]).toEqual([expect.stringMatching(/\.$/), expect.stringMatching(/\.$/)]);
  });
});

it('holds all that the code reads', () => {
  expect(Object.keys(ASSUMPTIONS)).toEqual(expect.arrayContaining([...taken]));
});
