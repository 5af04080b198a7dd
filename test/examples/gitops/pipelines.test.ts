import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import type { Api } from '../../emulator/support/api';
import { startEstate } from './support/estate';
import {
  ENVIRONMENTS,
  EXAMPLE,
  github,
  gitlab,
  type Event,
  type Job,
  type Pipeline,
} from './support/pipelines';
import { startNightlySnapshots } from './support/nightly-snapshots';
import { runJob, runPipeline, type Finished } from './support/runner';
import type { StoreKind } from './support/state-stores';

const POLICY = 'sys/policies/acl/app-reader';

interface Case {
  readonly pipeline: Pipeline;
  readonly kind: StoreKind;
  readonly claims: Readonly<Record<string, string>>;
  /** Where reviewers see the plan. */
  readonly shown: 'output' | 'summary';
  /** Where comments on the review are sent. */
  readonly comments: string;
}

test.each<Case>([
  {
    pipeline: github,
    kind: 's3',
    claims: { repository: 'example/estate' },
    shown: 'summary',
    comments: '/repos/example/estate/issues/3/comments',
  },
  {
    pipeline: gitlab,
    kind: 'http',
    claims: { project_path: 'example/estate' },
    shown: 'output',
    comments: '/projects/7/merge_requests/3/notes',
  },
])(
  'the pipeline of $pipeline.name with states in $kind checks clusters, plans reviews, applies merges from dev to prod, and finds drift at night',
  async ({ pipeline, kind, claims, shown, comments }) => {
    const estate = await startEstate(kind, claims);
    const [dev, stage, prod] = ['dev-us', 'stage-us', 'prod-us'].map((name) => estate.api(name)) as [
      Api,
      Api,
      Api,
    ];
    const snapshots = await startNightlySnapshots(prod);
    const printed: string[] = [];
    const run = async (event: Event) => {
      const jobs = await runPipeline(estate, pipeline, event);
      printed.push(...jobs.map(({ output, summary }) => output + summary));
      return jobs;
    };
    const codes = (jobs: readonly Finished[]) => jobs.map(({ name, code }) => [name, code]);
    try {
      expect(codes(await run('by hand'))).toEqual([
        ['synth', 0],
        ['doctor (dev)', 0],
        ['doctor (stage)', 0],
        ['doctor (prod)', 0],
      ]);

      const reviewed = await run('review');
      expect(codes(reviewed)).toEqual([
        ['synth', 0],
        ['plan (dev)', 0],
        ['plan (stage)', 0],
        ['plan (prod)', 0],
        ['comment', 0],
      ]);
      expect(reviewed[1]![shown]).toContain('Plan: 1 to add, 0 to change, 0 to destroy.');
      expect(reviewed[1]![shown]).toContain('Plan: 2 to add, 0 to change, 0 to destroy.');
      const [[path, text]] = estate.reviews.comments as [[string, string]];
      expect(path).toBe(comments);
      expect(text.match(/^## .*/gm)).toEqual(
        ENVIRONMENTS.flatMap((name) => [`## ${name}: replication`, `## ${name}: policies`]),
      );
      const inDev = 'newly allowed&#58; read on secret/data/app/&#42;';
      expect(text.split(inDev)).toHaveLength(4);
      const overridden = 'list on secret/metadata/app/&#42;';
      expect(text.split('## stage')[0]).toContain(overridden);
      expect(text.split('## stage')[1]).not.toContain(overridden);
      expect([(await dev.get(POLICY)).status, estate.store.state('dev/policies')]).toEqual([404, undefined]);

      const applied = await run('merge');
      expect(codes(applied).slice(4)).toEqual([
        ['apply-dev', 0],
        ['apply-stage', 0],
        ['apply-prod', 0],
      ]);
      expect(applied[4]!.output).toMatch(/ 1 added, [^]*Apply complete! Resources: 2 added/);
      for (const api of [dev, stage, prod]) expect((await api.get(POLICY)).status).toBe(200);
      expect((await estate.api('prod-eu').get('sys/replication/performance/status')).body.data).toMatchObject(
        {
          mode: 'secondary',
          state: 'stream-wals',
        },
      );

      await prod.put('sys/mounts/canary', { type: 'kv' });
      await snapshots.take();
      const nightly = pipeline.jobsFor('schedule', estate.store.credentials);
      const restore = nightly.find(({ name }) => name === 'restore')!;
      const unproven = await runJob(estate, pipeline.name, restore);
      expect(unproven.code).toBe(1);
      expect(unproven.output).toMatch(/secret "canary\/snapshot" in snapshot "[-0-9a-f]*"[^]*does not exist/);
      expect((await prod.list('sys/storage/raft/snapshot-load')).status).toBe(404);
      await prod.put('canary/snapshot', { value: 'sings' });
      await snapshots.take();
      await stage.put(POLICY, { policy: 'path "secret/*" { capabilities = ["read"] }' });
      const night = await run('schedule');
      expect(codes(night)).toEqual([
        ['synth', 0],
        ['watch (dev)', 0],
        ['watch (stage)', 1],
        ['watch (prod)', 0],
        ['restore', 0],
        ['audit', 0],
      ]);
      expect((await prod.list('sys/storage/raft/snapshot-load')).status).toBe(404);
      expect(night[2]!.output).toContain(
        'stage: policies: vaultadmin_acl_policy.app-reader is not as the code says\n',
      );

      const states = ENVIRONMENTS.flatMap((name) =>
        ['replication', 'policies'].map((stack) => estate.store.state(`${name}/${stack}`)!),
      );
      const texts = [...printed, ...handedOn(estate.folder), ...states];
      const secrets = [...estate.secrets, ...estate.identities.issued, 'hvs.'];
      expect(secrets.filter((secret) => texts.some((each) => each.includes(secret)))).toEqual([]);
    } finally {
      await snapshots.close();
      await estate.close();
    }
  },
);

test.each<Pick<Case, 'pipeline' | 'claims'>>([
  { pipeline: github, claims: { repository: 'example/estate' } },
  { pipeline: gitlab, claims: { project_path: 'example/estate' } },
])(
  'on $pipeline.name, a merge whose apply fails in dev is not applied in stage and prod',
  async ({ pipeline, claims }) => {
    const estate = await startEstate('s3', claims);
    try {
      await estate.api('dev-us').post('/emulator/v1/faults', { path: POLICY, method: 'POST', status: 403 });
      const jobs = await runPipeline(estate, pipeline, 'merge');
      expect(jobs.at(-1)).toMatchObject({ name: 'apply-dev', code: 1 });
      for (const name of ['stage', 'prod']) {
        const { body } = await estate.api(`${name}-us`).get('sys/replication/performance/status');
        expect(body.data).toEqual({ mode: 'disabled' });
      }
    } finally {
      await estate.close();
    }
  },
);

test('a plan is applied only with the role apply, with the provider that planned it, and in one attempt', async () => {
  const estate = await startEstate('s3', { repository: 'example/estate' });
  const jobs = github.jobsFor('merge', estate.store.credentials);
  const [synth, plan, apply] = ['synth', 'plan (dev)', 'apply-dev'].map((name) =>
    jobs.find((job) => job.name === name)!,
  ) as [Job, Job, Job];
  const run = (job: Job) => runJob(estate, 'github', job);
  try {
    await run(synth);
    await run(plan);
    const other =
      'echo >> $(find synthesized/cdktf.out/dev/stacks/replication -type f -name "terraform-provider-vaultadmin_v*" | head -n 1)';
    expect((await run(after('check synthesized', other, apply))).output).toContain('any of the checksums');
    const unlocked = `${other}; rm synthesized/cdktf.out/dev/stacks/replication/.terraform.lock.hcl`;
    expect((await run(after('check synthesized', unlocked, apply))).output).toContain(
      'Provider dependency changes detected',
    );
    const asPlanner = { ...apply, env: { ...apply.env, TF_VAR_vault_role: 'plan' } };
    expect((await run(asPlanner)).output).toContain('lacks permissions for the plan');
    // The refused attempt has written the state, so a new plan is needed.
    expect((await run(apply)).output).toContain('Saved plan is stale');
    expect((await estate.api('dev-us').get(POLICY)).status).toBe(404);
  } finally {
    await estate.close();
  }
});

test('a review from a fork only runs the job synth on GitHub', () => {
  expect(github.jobsFor('review from a fork', {}).map(({ name }) => name)).toEqual(['synth']);
});

test('each terraform init of the pipelines leaves the lock file unchanged', () => {
  const texts = ['github.yml', 'gitlab.yml', 'stacks.mjs'].map((name) =>
    readFileSync(join(EXAMPLE, name), 'utf8'),
  );
  const installations = texts.flatMap((text) => text.match(/(terraform init\b|\['init').*/g) ?? []);
  expect(installations).toEqual([
    'terraform init -no-color -lockfile=readonly',
    'terraform init -no-color -lockfile=readonly',
    "['init', '-no-color', '-lockfile=readonly']);",
  ]);
});

test('the actions of github.yml are pinned to commits', () => {
  const file = readFileSync(join(EXAMPLE, 'github.yml'), 'utf8');
  const actions = [...file.matchAll(/uses: (\S+)/g)].map(([, action]) => action!);
  expect(actions.length).toBeGreaterThan(0);
  expect(actions.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
});

/** Returns the job with a command added after the step whose command ends with `ending`. */
function after(ending: string, command: string, { steps, ...job }: Job): Job {
  const added = { kind: 'run', command, folder: '' } as const;
  return {
    ...job,
    steps: steps.flatMap((step): Job['steps'] =>
      step.kind === 'run' && step.command.trimEnd().endsWith(ending) ? [step, added] : [step],
    ),
  };
}

/** Returns the content of all artifacts, including the files within archives and plans. */
function handedOn(folder: string): readonly string[] {
  const unpacked = join(folder, 'unpacked');
  mkdirSync(unpacked);
  const artifacts = join(folder, 'artifacts');
  const [stacks] = filesBelow(artifacts).filter((file) => file.endsWith('stacks.tgz'));
  execFileSync('tar', ['-xzf', stacks!, '-C', unpacked]);
  const files = [...filesBelow(unpacked), ...filesBelow(artifacts)];
  const plans = files.filter((file) => file.endsWith('.plan'));
  expect(plans).toHaveLength(6);
  const contents = [
    ...files.map((file) => readFileSync(file)),
    ...plans.flatMap((plan) => Object.values(unzipSync(readFileSync(plan)))),
  ];
  return contents.map((content) => Buffer.from(content).toString('latin1'));
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
}
