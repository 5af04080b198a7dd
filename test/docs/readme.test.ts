import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { platform } from '../support/terraform';
import { textsOf } from './support/page';
import { follow } from './support/reader';
import { Terminal } from './support/terminal';

const guide = (name: string) => `docs/guides/${name}.md`;

test('a reader who follows the README, and the guides that continue in its folder, gets the results shown', async () => {
  const terminal = new Terminal();
  try {
    await follow('README.md', terminal);
    await terminal.must('(cd cdktf.out/stacks/policies && terraform apply)');
    await follow(guide('other-tools'), terminal);
    await follow(guide('command-line'), terminal);
    await follow(guide('plain-terraform'), terminal, { replacements: { linux_amd64: platform() } });

    const [program] = textsOf(guide('client'), 'ts', 1);
    writeFileSync(join(terminal.folder, 'client.mjs'), program!);
    const { code, text } = await terminal.run('node client.mjs');
    expect({ code, text }).toEqual({
      code: 0,
      text: expect.stringMatching(/^path "secret\/data\/app\/\*" \{$/m),
    });
  } finally {
    await terminal.close();
  }
});

test('a reader who continues from the project of the first guide gets what several-clusters shows', async () => {
  const terminal = new Terminal();
  try {
    await follow(guide('first-policy'), terminal, {
      passesOver: ({ heading }) => heading !== 'Create a project',
    });
    await follow(guide('several-clusters'), terminal);
    await terminal.must('npx tsc && node main.js');
  } finally {
    await terminal.close();
  }
});
