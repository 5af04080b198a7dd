import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startStack } from './support';

const EXAMPLES = join(__dirname, '../../docs/reference/examples');

test('the examples of the reference are valid together', async () => {
  const stack = await startStack({ provider: () => '' });
  try {
    stack.workspace.remove('provider.tf');
    // The others are for a newer Terraform.
    for (const file of readdirSync(EXAMPLES).filter((name) => name.endsWith('.tf')))
      stack.workspace.write(file, readFileSync(join(EXAMPLES, file), 'utf8'));
    await stack.workspace.must('validate', '-no-color');
  } finally {
    await stack.close();
  }
});
