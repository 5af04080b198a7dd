import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { makeGpgKey } from '../release/support/release';
import { temporaryFolder } from '../support/temporary-folder';
import { ROOT } from './support/tarball';

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}
interface Job {
  readonly permissions: Readonly<Record<string, string>>;
  readonly needs?: readonly string[];
  readonly environment?: string;
  readonly strategy?: { readonly matrix: { readonly machine: readonly string[] } };
  readonly steps: readonly Step[];
}
interface Workflow {
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

const FOLDER = join(ROOT, '.github', 'workflows');
const WORKFLOWS = readdirSync(FOLDER);

function read(file: string): Workflow {
  return parse(readFileSync(join(FOLDER, file), 'utf8')) as Workflow;
}

/** The keywords by which users and sites of constructs find packages. */
const KEYWORDS = ['cdktf', 'cdktn', 'cdk-terrain', 'opentofu', 'terraform', 'provider', 'sentinel', 'vault'];

const { jobs } = read('release.yml');

test.each(WORKFLOWS)('actions in %s are pinned, and each job lists its permissions', (file) => {
  const workflow = read(file);
  expect(workflow.permissions).toEqual({});
  for (const { permissions, steps } of Object.values(workflow.jobs)) {
    expect(permissions).toBeDefined();
    const actions = steps.flatMap(({ uses }) => (uses === undefined ? [] : [uses]));
    expect(actions.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(action))).toEqual([]);
  }
});

test('the job "publish" alone has an identity token, and it waits for the tests and runs no foreign code', () => {
  const identified = Object.entries(jobs).filter(([, { permissions }]) => 'id-token' in permissions);
  expect(identified.map(([name]) => name)).toEqual(['publish']);
  const { needs, environment, permissions, steps } = jobs.publish!;
  expect({ needs, environment, permissions }).toEqual({
    needs: ['build', 'test'],
    environment: 'npm',
    permissions: { 'id-token': 'write', contents: 'write' },
  });
  expect(steps.flatMap(({ name, run = '' }) => (run.includes('\n') ? name : run) || [])).toEqual([
    'diff --recursive packages-first packages-second',
    'sign the checksums',
    'gh release create "$GITHUB_REF_NAME" --verify-tag --title "$GITHUB_REF_NAME" ' +
      'packages-first/release/{assets,command-line}/* packages-first/release/*.{json,hcl}',
    'for file in packages-first/*.tgz; do npm publish --ignore-scripts --provenance --access public "./$file"; done',
    'mkdir wheels && mv packages-first/*.whl wheels/',
  ]);
});

test('one step signs the checksums of both programs, and no other step has the key', () => {
  const named = Object.values(jobs).flatMap(({ steps }) =>
    steps.filter(({ run, env }) => /GPG/.test(JSON.stringify([run, env]))),
  );
  expect(named.map(({ name }) => name)).toEqual(['sign the checksums']);
  const folder = temporaryFolder('signed');
  const sums = ['assets', 'command-line'].map((each) => {
    mkdirSync(join(folder, 'packages-first', 'release', each), { recursive: true });
    const file = join(folder, 'packages-first', 'release', each, 'x_1.2.3_SHA256SUMS');
    writeFileSync(file, each);
    return file;
  });
  const bash = (script: string, env: object) =>
    execFileSync('bash', ['-eo', 'pipefail', '-c', script], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, ...env },
      stdio: 'pipe',
    });
  bash(named[0]!.run!, makeGpgKey());
  for (const file of sums) expect(existsSync(`${file}.sig`)).toBe(true);
  expect(() => bash(named[0]!.run!, { GPG_PRIVATE_KEY: '', GPG_PASSPHRASE: '' })).toThrow('Command failed');
});

test('two machines build, without install scripts and without an identity token', () => {
  const { strategy, permissions, steps } = jobs.build!;
  expect({ machines: strategy?.matrix.machine, permissions }).toEqual({
    machines: ['first', 'second'],
    permissions: { contents: 'read' },
  });
  const installs = steps.flatMap(({ run = '' }) => (/npm (ci|install)/.test(run) ? [run] : []));
  expect(installs).toEqual(['npm ci --ignore-scripts']);
});

test('the page of a wheel links to the tagged commit', () => {
  const linked = (page: string, manifest: object) =>
    execFileSync(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { linkedFromElsewhere } from './scripts/flavours/assembly.mjs';
        process.stdout.write(linkedFromElsewhere(...process.argv.slice(1).map((text) => JSON.parse(text))));`,
        JSON.stringify(page),
        JSON.stringify(manifest),
      ],
      { cwd: ROOT, encoding: 'utf8' },
    );
  const page = '[the control API](../reference/control-api.md), [jsii](https://jsii.example)';
  const repository = { url: 'git+https://forge.example/owner/name.git' };
  expect(linked(page, { version: '1.2.3', repository })).toBe(
    '[the control API](https://forge.example/owner/name/blob/v1.2.3/docs/reference/control-api.md), ' +
      '[jsii](https://jsii.example)',
  );
});

test('wheels are published with their provenance', () => {
  const { with: settings } = jobs.publish!.steps.find(({ uses }) => uses?.startsWith('pypa/'))!;
  expect(settings).toEqual({ 'packages-dir': 'wheels', attestations: true });
});

test('the job "build" makes the executables, the release, and the packages of both flavours for npm and Python', () => {
  const runs = jobs.build!.steps.flatMap(({ run }) => run ?? []);
  expect(runs).toEqual(
    expect.arrayContaining(['npm run executables', 'npm run release', 'npm run flavours']),
  );
  const { with: uploaded } = jobs.build!.steps.find(({ uses }) =>
    uses?.startsWith('actions/upload-artifact'),
  )!;
  expect(uploaded?.path?.split('\n').filter(Boolean)).toEqual([
    'dist/*.tgz',
    'dist/*.whl',
    'dist/*-api.md',
    'dist/release/assets',
    'dist/release/command-line',
    'dist/release/*.json',
    'dist/release/*.hcl',
  ]);
});

test('a tag that differs from the version is refused', () => {
  const { run } = jobs.build!.steps.find(({ name }) => name === 'compare the tag with the version')!;
  const folder = temporaryFolder('release');
  writeFileSync(join(folder, 'package.json'), '{"version":"1.2.3"}');
  const tagged = (tag: string) => () =>
    execFileSync('bash', ['-eo', 'pipefail', '-c', run!], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, GITHUB_REF_NAME: tag },
    });
  expect(tagged('v1.2.3')).not.toThrow();
  for (const tag of ['v1.2.4', '1.2.3', 'v1.2.3-beta']) expect(tagged(tag)).toThrow('Command failed');
});

test.each(['cdktf', 'cdktn'])(
  'the package %s-vault-admin has the fields that sites of constructs and registries read',
  (framework) => {
    const script = `import { FLAVOURS } from './scripts/flavours/flavours.mjs';
    import { commonManifest } from './scripts/flavours/stage.mjs';
    process.stdout.write(JSON.stringify(commonManifest(FLAVOURS[process.argv[1]])));`;
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script, framework], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    const publisher = JSON.parse(readFileSync(join(ROOT, 'publisher.json'), 'utf8')) as Record<
      string,
      string
    >;
    const name = `${framework}-vault-admin`;
    expect(JSON.parse(printed)).toMatchObject({
      name,
      license: 'MIT',
      repository: { type: 'git', url: `git+${publisher.repository}.git` },
      keywords: expect.arrayContaining(KEYWORDS) as string[],
      jsii: {
        targets: {
          python: { distName: name },
          go: { moduleName: `${publisher.goModules}/${name}-go` },
          java: { maven: { groupId: publisher.mavenGroup, artifactId: name } },
          dotnet: { packageId: expect.stringMatching(`^${publisher.nugetPrefix}\\.`) as string },
        },
      },
    });
    expect(readFileSync(join(ROOT, 'LICENSE'), 'utf8')).toMatch(/^MIT License\n/);
  },
);

test('a job looks for vulnerable packages every night', () => {
  const { on, jobs } = parse(readFileSync(join(FOLDER, 'audit.yml'), 'utf8')) as Workflow & { on: object };
  expect(on).toHaveProperty('schedule');
  expect(jobs.audit!.steps.flatMap(({ run }) => run ?? [])).toEqual([
    'npm ci --ignore-scripts',
    'npm audit --omit dev',
    'npm audit --audit-level high',
    'npm audit signatures',
  ]);
});
