import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder';

const ROOT = join(__dirname, '..', '..');

/** Pages that `npm run docs` writes, and how each is written somewhere else. */
const PAGES: readonly [page: string, write: (folder: string) => string][] = [
  [
    'docs/emulator-assumptions.md',
    (folder) => {
      const target = join(folder, 'assumptions.md');
      execFileSync(process.execPath, ['scripts/generate-assumptions.mjs', target], { cwd: ROOT });
      return target;
    },
  ],
  [
    'docs/reference/control-api.md',
    (folder) => {
      const target = join(folder, 'control-api.md');
      execFileSync(process.execPath, ['scripts/generate-control-api.mjs', target], { cwd: ROOT });
      return target;
    },
  ],
  [
    'docs/reference/replication-states.md',
    (folder) => {
      const target = join(folder, 'replication-states.md');
      execFileSync(process.execPath, ['scripts/generate-replication-states.mjs', target], { cwd: ROOT });
      return target;
    },
  ],
  [
    'docs/decisions/README.md',
    (folder) => {
      const target = join(folder, 'README.md');
      execFileSync(process.execPath, ['scripts/generate-decisions.mjs', target], { cwd: ROOT });
      return target;
    },
  ],
  [
    'docs/guides/settings.md',
    (folder) => {
      const target = join(folder, 'settings.md');
      execFileSync(process.execPath, ['scripts/generate-settings-table.mjs', target], { cwd: ROOT });
      return target;
    },
  ],
  [
    'docs/reference/lint.md',
    (folder) => {
      const target = join(folder, 'lint.md');
      execFileSync(process.execPath, ['scripts/generate-lint-rules.mjs', target], { cwd: ROOT });
      return target;
    },
  ],
  [
    'docs/reference/constructs.md',
    (folder) => {
      execFileSync(process.execPath, ['node_modules/typedoc/bin/typedoc', '--out', folder], {
        cwd: ROOT,
        stdio: 'pipe',
      });
      return join(folder, 'constructs.md');
    },
  ],
];

test.each(PAGES)('%s is what `npm run docs` writes now', (page, write) => {
  const folder = temporaryFolder('generated-pages');
  expect(readFileSync(write(folder), 'utf8')).toBe(readFileSync(join(ROOT, page), 'utf8'));
});

test('the pages about the provider are what `npm run docs` writes now, and no others', () => {
  const folder = temporaryFolder('provider-docs');
  execFileSync(process.execPath, ['scripts/generate-provider-docs.mjs', folder], { cwd: ROOT });
  expect(pagesIn(join(ROOT, 'docs'))).toEqual(pagesIn(folder));
});

test('the JSON Schemas are what `npm run docs` writes now, and no others', () => {
  const folder = temporaryFolder('schemas');
  execFileSync(process.execPath, ['scripts/generate-schemas.mjs', folder], { cwd: ROOT });
  expect(filesIn(join(ROOT, 'docs', 'reference', 'schemas'))).toEqual(filesIn(folder));
});

function filesIn(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
  );
}

/** The index, and the pages in the folders of the Terraform Registry, by their paths. */
function pagesIn(folder: string): Readonly<Record<string, string>> {
  const folders = [
    'resources',
    'data-sources',
    'ephemeral-resources',
    'list-resources',
    'actions',
    'functions',
  ];
  const pages = folders
    .filter((each) => existsSync(join(folder, each)))
    .flatMap((each) => readdirSync(join(folder, each)).map((page) => join(each, page)));
  return Object.fromEntries(
    ['index.md', ...pages].map((page) => [page, readFileSync(join(folder, page), 'utf8')]),
  );
}
