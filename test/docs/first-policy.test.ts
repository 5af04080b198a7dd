import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { upstreamMirror, upstreamMissing } from '../support/upstream-mirror';
import { follow } from './support/reader';
import { Terminal } from './support/terminal';

const UPSTREAM = 'Both providers';

test('the commands of the page give the results that it shows', async () => {
  const terminal = new Terminal();
  const mirror = upstreamMirror();
  try {
    if (mirror) {
      // The folder in which Terraform looks for providers by default.
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
