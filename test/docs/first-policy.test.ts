import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { upstreamMirror, upstreamMissing } from '../support/upstream-mirror';
import { follow } from './support/reader';
import { Terminal } from './support/terminal';

const UPSTREAM = 'Both providers';

test('following it to the letter gives the results that it shows', async () => {
  const terminal = new Terminal();
  const mirror = upstreamMirror();
  try {
    if (mirror) {
      // Where Terraform looks for providers without being told.
      mkdirSync(join(terminal.home, '.terraform.d'));
      symlinkSync(mirror, join(terminal.home, '.terraform.d', 'plugins'));
    } else console.warn(upstreamMissing());
    await follow('docs/guides/first-policy.md', terminal, {
      passesOver: ({ heading }) => heading === UPSTREAM && !mirror,
    });
  } finally {
    await terminal.close();
  }
});
