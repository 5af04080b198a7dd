import { filled } from '../../../src/cli/output/help';
import { vaultAdminAlone } from '../support/cli';

const TEXT = `
The environment describes
the clusters.

Exit codes:
  0  all is well
  1  there are problems: a cluster
     is sealed
     With --unmanaged: there are
     objects

Examples:
  $ vault-admin   status
`;

test.each([
  [
    80,
    `
The environment describes the clusters.

Exit codes:
  0  all is well
  1  there are problems: a cluster is sealed
     With --unmanaged: there are objects

Examples:
  $ vault-admin   status
`,
  ],
  [
    24,
    `
The environment
describes the clusters.

Exit codes:
  0  all is well
  1  there are problems:
     a cluster is sealed
     With --unmanaged:
     there are objects

Examples:
  $ vault-admin   status
`,
  ],
])('paragraphs and exit codes are filled to %j columns, and examples stay as they are', (width, text) => {
  expect(filled(TEXT, width)).toBe(text);
});

test('help has 80 columns if there is no terminal', async () => {
  const { stdout } = await vaultAdminAlone(['policy', 'lint', '--help'], {});
  const lengths = stdout.split('\n').map((line) => line.length);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(80);
  expect(Math.max(...lengths)).toBeGreaterThan(76);
});
