import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MODELLED } from './assumptions';

const FOLDER = join(__dirname, 'model');

test('the model uses exactly the assumptions that the table lists as modelled', () => {
  const sources = readdirSync(FOLDER).map((file) => readFileSync(join(FOLDER, file), 'utf8'));
  const asked = sources.flatMap((text) => [
    ...[...text.matchAll(/ssumed\('(\w+)'\)/g)].map(([, name]) => name!),
    ...[...text.matchAll(/#refusal\('(\w+)'\)/g)].map(([, name]) => name!),
  ]);
  const modelled = Object.entries(MODELLED).flatMap(([name, reason]) =>
    reason === 'modelled' ? [name] : [],
  );
  expect([...new Set(asked)].sort()).toEqual(modelled.sort());
});
