import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programPath } from '../../support/programs';
import { temporaryFolder } from '../../support/temporary-folder';
import { startEstate, type Estate } from './support/estate';
import { EXAMPLE, github, gitlab, type Event, type Job, type Pipeline } from './support/pipelines';
import { runJob } from './support/runner';
import type { StoreKind } from './support/state-stores';
import { shell } from './support/shell';

interface Case {
  readonly pipeline: Pipeline;
  readonly kind: StoreKind;
  readonly claims: Readonly<Record<string, string>>;
}
const PIPELINES: readonly Case[] = [
  { pipeline: github, kind: 's3', claims: { repository: 'example/estate' } },
  { pipeline: gitlab, kind: 'http', claims: { project_path: 'example/estate' } },
];
const EVENTS = ['by hand', 'review', 'merge', 'schedule'] as const;
const STACK = 'cdktf.out/dev/stacks/policies';

describe.each(PIPELINES)('on $pipeline.name', ({ pipeline, kind, claims }) => {
  let estate: Estate;
  beforeAll(async () => {
    estate = await startEstate(kind, claims);
  });
  afterAll(() => estate.close());

  test('files of a compromised package are refused before an identity is used', async () => {
    const provider = `$(find ${STACK} -type f -name provider.js)`;
    const tampering = [
      `echo 'leak(process.env);' >> ${provider}`,
      `sed -i 's|secret/data/app|secret/data|' ${STACK}/cdk.tf.json`,
      `sed -i 's|"h1:.*"|"h1:another="|' ${STACK}/.terraform.lock.hcl`,
      `echo 'leak(process.env);' >> node_modules/cdktf-vault-admin/lib/src/cli/main.js`,
    ];
    await runJob(estate, pipeline.name, tampered(jobOf(pipeline, 'merge', 'synth'), tampering.join('\n')));
    estate.emulator.requests.clear();
    for (const [event, name] of WITH_AN_IDENTITY) {
      const { code, output } = await runJob(estate, pipeline.name, withoutPlan(jobOf(pipeline, event, name)));
      expect({ name, code, output }).toEqual({
        name,
        code: 1,
        output: expect.stringMatching(
          /^synthesized does not have what synth\.sha256 says:\n {2}\S+\/\.terraform\.lock\.hcl\n {2}\S+\/cdk\.tf\.json\n {2}\S+\/provider\.js\n {2}node_modules\/cdktf-vault-admin\nIf the change is yours, run "npm run lock" and commit synth\.sha256\.\n$/,
        ) as string,
      });
    }
    expect(estate.emulator.requests.list()).toEqual([]);
  });

  test('files that synth.sha256 of the commit does not list are left out', async () => {
    const planted = [
      `echo 'not Terraform' > ${STACK}/planted.tf`,
      `mkdir node_modules/bufferutil && echo 'leak(process.env);' > node_modules/bufferutil/index.js`,
      `tar -czf stacks.tgz ./cdktf.out ./node_modules`,
    ];
    const synth = jobOf(pipeline, 'review', 'synth');
    await runJob(estate, pipeline.name, after(synth, planted.join('\n')));
    const archived = execFileSync(
      'tar',
      ['-tzf', join(estate.folder, 'artifacts', artifactOf(synth), 'stacks.tgz')],
      { encoding: 'utf8' },
    );
    expect(archived).toContain('planted.tf');

    const plan = after(jobOf(pipeline, 'review', 'plan (dev)', estate), 'find "$CI_PROJECT_DIR/synthesized"');
    const { code, output } = await runJob(estate, pipeline.name, plan);
    expect(code).toBe(0);
    expect(output).toContain('synthesized/node_modules/cdktf-vault-admin/');
    expect(output).not.toMatch(/planted\.tf|bufferutil/);
  });
});

const WITH_AN_IDENTITY: readonly (readonly [Event, string])[] = [
  ['review', 'plan (dev)'],
  ['merge', 'apply-dev'],
  ['schedule', 'watch (dev)'],
  ['by hand', 'doctor (dev)'],
];

test.each(PIPELINES)(
  'on $pipeline.name, only jobs without secrets install packages, and without running scripts',
  ({ pipeline }) => {
    const secrets = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key' };
    const installing = new Set<string>();
    for (const event of EVENTS) {
      for (const { name, steps, identity, env } of pipeline.jobsFor(event, secrets)) {
        const commands = steps.flatMap((step) => (step.kind === 'run' ? step.command.split('\n') : []));
        const installs = commands.filter((command) => /\b(npm (ci|install|i|exec|x)|npx)\b/.test(command));
        if (installs.length === 0) continue;
        installing.add(name);
        expect({ name, installs, identity }).toEqual({
          name,
          installs: ['npm ci --ignore-scripts'],
          identity: undefined,
        });
        expect(Object.keys(env).filter((key) => key in secrets)).toEqual([]);
      }
    }
    expect([...installing].sort()).toEqual(['audit', 'synth']);
  },
);

test("a package's install script, which would read the environment, does not run", async () => {
  const folder = temporaryFolder('attack');
  const stolen = join(folder, 'stolen');
  const write = (file: string, content: object) => writeFileSync(join(folder, file), JSON.stringify(content));
  mkdirSync(join(folder, 'evil'));
  write('evil/package.json', {
    name: 'evil',
    version: '1.0.0',
    scripts: { postinstall: `node -e 'fs.writeFileSync("${stolen}", JSON.stringify(process.env))'` },
  });
  write('package.json', { name: 'app', version: '1.0.0', dependencies: { evil: 'file:evil' } });
  const env = { PATH: process.env.PATH, HOME: folder, npm_config_offline: 'true', SECRET: 'canary' };
  const npm = programPath('npm');
  execFileSync(npm, ['install', '--package-lock-only', '--ignore-scripts'], { cwd: folder, env });

  const installs = jobOf(github, 'merge', 'synth').steps.find(
    (step) => step.kind === 'run' && step.command.startsWith('npm ci'),
  ) as { command: string };
  expect((await shell(installs.command, folder, env)).code).toBe(0);
  expect(existsSync(stolen)).toBe(false);
  // Without the option the script runs, so this test would notice a missing option.
  expect((await shell('npm ci', folder, env)).code).toBe(0);
  expect(readFileSync(stolen, 'utf8')).toContain('canary');
});

test.each(['github.yml', 'gitlab.yml'])(
  'in %s, a state that could not be stored is encrypted and kept for three days',
  async (file) => {
    const text = readFileSync(join(EXAMPLE, file), 'utf8');
    expect(text).toMatch(/errored\.tfstate\.cms[^]*?(?:retention-days|expire_in): 3/);
    const kept = [...text.matchAll(/^ *paths?: .*errored\.tfstate.*$/gm)].map(([line]) => line.trim());
    expect(kept).toEqual([expect.stringMatching(/^paths?: \[?errored\.tfstate\.cms\]?$/)]);
    const [encrypting] = /openssl cms -encrypt[^'\n]*/.exec(text)!;
    const folder = temporaryFolder('errored');
    const run = (command: string) => shell(command, folder, { PATH: process.env.PATH, HOME: folder });
    writeFileSync(join(folder, 'state'), 'what was done');
    await run(KEY_OF_THE_TEAM);
    expect(await run(`state=state; ${encrypting}`)).toEqual({ code: 0, output: '' });
    expect(readFileSync(join(folder, 'errored.tfstate.cms'), 'latin1')).not.toContain('what was done');
    expect(await run(`${DECRYPTING} && cat errored.tfstate`)).toEqual({ code: 0, output: 'what was done' });
  },
);

/** The guide with the commands that create the key of a team, and decrypt with it. */
const GUIDE = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'guides', 'pipelines.md'), 'utf8');
const [KEY_OF_THE_TEAM] = /openssl req -x509(.*\\\n)*.*/.exec(GUIDE)!;
const [DECRYPTING] = /openssl cms -decrypt(.*\\\n)*.*/.exec(GUIDE)!;

/** @param estate its store of states has the secrets that the service passes to the job */
function jobOf(pipeline: Pipeline, event: Event, name: string, estate?: Estate): Job {
  return pipeline.jobsFor(event, estate?.store.credentials ?? {}).find((job) => job.name === name)!;
}

/** Returns the job with a command added before it packs the files for later jobs. */
function tampered({ steps, ...job }: Job, command: string): Job {
  return {
    ...job,
    steps: steps.map((step) =>
      step.kind === 'run'
        ? { ...step, command: step.command.replace(/^node .*tar -c/m, `${command}\n$&`) }
        : step,
    ),
  };
}

/** Returns the job with a command added after its last one. */
function after({ steps, ...job }: Job, command: string): Job {
  const last = steps.findLastIndex(({ kind }) => kind === 'run');
  return {
    ...job,
    steps: steps.map((step, index) =>
      step.kind === 'run' && index === last ? { ...step, command: `${step.command}\n${command}` } : step,
    ),
  };
}

/** Returns the job without the step that fetches the plan, since the job "plan" has not run. */
function withoutPlan({ steps, ...job }: Job): Job {
  return {
    ...job,
    steps: steps.filter((step) => !(step.kind === 'fetch' && ['plans-dev', 'plan'].includes(step.artifact))),
  };
}

function artifactOf({ steps }: Job): string {
  return steps.flatMap((step) => (step.kind === 'hand on' ? [step.artifact] : []))[0]!;
}
