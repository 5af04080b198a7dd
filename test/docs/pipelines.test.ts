import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksOf } from './support/page';
import { follow } from './support/reader';
import { Terminal } from './support/terminal';

test('what docs/guides/pipelines.md hands on is all that another machine needs', async () => {
  const terminal = new Terminal();
  try {
    const [app] = blocksOf('README.md').filter(({ language }) => language === 'ts');
    writeFileSync(join(terminal.home, 'main.ts'), app!.text);
    await terminal.must('npm install cdktf-vault-admin typescript && npx tsc && node main.js');
    await follow('docs/guides/pipelines.md', terminal);
    await terminal.must(`mkdir elsewhere && tar -xzf stacks.tgz -C elsewhere
cd elsewhere/cdktf.out/stacks/policies && terraform init && terraform validate`);
  } finally {
    await terminal.close();
  }
});
