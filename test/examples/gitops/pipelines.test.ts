import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { startEstate } from './support/estate';
import { EXAMPLE, github, gitlab, type Event, type Job, type Pipeline } from './support/pipelines';
import { startNightlySnapshots } from './support/nightly-snapshots';
import { runJob, runPipeline } from './support/runner';
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
  '$pipeline.name, with the state in $kind: is checked, plans a review, plans a merge anew and applies it, watches by night',
  async ({ pipeline, kind, claims, shown, comments }) => {
    const estate = await startEstate(kind, claims);
    const snapshots = await startNightlySnapshots(estate.api);
    const printed: string[] = [];
    const run = async (event: Event) => {
      const jobs = await runPipeline(estate, pipeline, event);
      printed.push(...jobs.map(({ output, summary }) => output + summary));
      return jobs;
    };
    try {
      expect(await run('by hand')).toMatchObject([
        { name: 'synth', code: 0 },
        { name: 'doctor', code: 0 },
      ]);

      const [, reviewed, commented] = await run('review');
      expect(reviewed).toMatchObject({ name: 'plan', code: 0 });
      expect(commented).toMatchObject({ name: 'comment', code: 0 });
      expect(estate.reviews.comments).toEqual([
        [
          comments,
          '### Changes of ACL policies\n\n' +
            '1 change allows more, 0 changes allow less, by the rules of server version 1&#46;21&#46;0 &#40;the default&#41;\n\n' +
            '<details><summary>1 finding</summary>\n\n| | Policy | Finding | Place |\n|---|---|---|---|\n' +
            '| note | <code>app-reader</code> | newly allowed&#58; read on secret/data/app/&#42; (<code>widening</code>) | ' +
            '<code>vaultadmin&#95;acl&#95;policy&#46;AppReader&#58;1</code> |\n\n</details>\n',
        ],
      ]);
      expect(reviewed![shown]).toContain('Plan: 1 to add, 0 to change, 0 to destroy.');
      expect([(await estate.api.get(POLICY)).status, estate.store.state()]).toEqual([404, undefined]);

      const [, , applied] = await run('merge');
      expect(applied).toMatchObject({ name: 'apply', code: 0 });
      expect(applied!.output).toContain('Apply complete! Resources: 1 added, 0 changed, 0 destroyed.');
      expect((await estate.api.get(POLICY)).status).toBe(200);

      await estate.api.put('sys/mounts/canary', { type: 'kv' });
      await snapshots.take();
      const nightly = pipeline.jobsFor('schedule', estate.store.credentials);
      const restore = nightly.find(({ name }) => name === 'restore')!;
      const unproven = await runJob(estate, pipeline.name, restore);
      expect(unproven.code).toBe(1);
      expect(unproven.output).toMatch(/secret "canary\/snapshot" in snapshot "[-0-9a-f]*"[^]*does not exist/);
      expect((await estate.api.list('sys/storage/raft/snapshot-load')).status).toBe(404);
      await estate.api.put('canary/snapshot', { value: 'sings' });
      await snapshots.take();
      expect(await run('schedule')).toMatchObject([
        { name: 'synth', code: 0 },
        { name: 'watch', code: 0 },
        { name: 'restore', code: 0 },
        { name: 'audit', code: 0 },
      ]);
      expect((await estate.api.list('sys/storage/raft/snapshot-load')).status).toBe(404);
      await estate.api.put(POLICY, { policy: 'path "secret/*" { capabilities = ["read"] }' });
      const [, watched] = await run('schedule');
      expect(watched).toMatchObject({ name: 'watch', code: 1 });
      expect(watched!.output).toContain('Plan: 0 to add, 1 to change, 0 to destroy.');

      const texts = [...printed, ...handedOn(estate.folder), estate.store.state()!];
      const secrets = [...estate.secrets, ...estate.identities.issued, 'hvs.'];
      expect(secrets.filter((secret) => texts.some((text) => text.includes(secret)))).toEqual([]);
    } finally {
      await snapshots.close();
      await estate.close();
    }
  },
);

test('a plan is applied by who may write, with the provider that planned it, and in one attempt', async () => {
  const estate = await startEstate('s3', { repository: 'example/estate' });
  const jobs = github.jobsFor('merge', estate.store.credentials);
  const [synth, plan, apply] = jobs as [Job, Job, Job];
  const run = (job: Job) => runJob(estate, 'github', job);
  try {
    await run(synth);
    await run(plan);
    const other = 'echo >> $(find synthesized -type f -name "terraform-provider-vaultadmin_v*" | head -n 1)';
    expect((await run(after('check synthesized', other, apply))).output).toContain('any of the checksums');
    const unlocked = `${other}; rm synthesized/cdktf.out/stacks/gitops/.terraform.lock.hcl`;
    expect((await run(after('check synthesized', unlocked, apply))).output).toContain(
      'Provider dependency changes detected',
    );
    const asPlanner = { ...apply, env: { ...apply.env, TF_VAR_vault_role: 'plan' } };
    expect((await run(asPlanner)).output).toContain('cannot create ACL policy "app-reader"');
    // An attempt to apply writes the state, although it did nothing else: it takes a new plan.
    expect((await run(apply)).output).toContain('Saved plan is stale');
    expect((await estate.api.get(POLICY)).status).toBe(404);
  } finally {
    await estate.close();
  }
});

test('a review from a fork is synthesized on GitHub, and nothing more', () => {
  expect(github.jobsFor('review from a fork', {}).map(({ name }) => name)).toEqual(['synth']);
});

test.each(['github.yml', 'gitlab.yml'])(
  'in %s, each installation of providers keeps to the lock file',
  (name) => {
    const installations = readFileSync(join(EXAMPLE, name), 'utf8').match(/\bterraform\b.*\binit\b.*/g) ?? [];
    expect(installations.length).toBeGreaterThanOrEqual(4);
    expect(new Set(installations)).toEqual(new Set(['terraform init -no-color -lockfile=readonly']));
  },
);

test('actions and images from elsewhere are pinned', () => {
  const file = readFileSync(join(EXAMPLE, 'github.yml'), 'utf8');
  const actions = [...file.matchAll(/uses: (\S+)/g)].map(([, action]) => action!);
  expect(actions.length).toBeGreaterThan(0);
  expect(actions.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
});

/** The job with one more command, after the step that ends so. */
function after(ending: string, command: string, { steps, ...job }: Job): Job {
  const added = { kind: 'run', command, folder: '' } as const;
  return {
    ...job,
    steps: steps.flatMap((step): Job['steps'] =>
      step.kind === 'run' && step.command.trimEnd().endsWith(ending) ? [step, added] : [step],
    ),
  };
}

/** Everything that is in the artifacts, and in the plan in one of them. */
function handedOn(folder: string): readonly string[] {
  const unpacked = join(folder, 'unpacked');
  mkdirSync(unpacked);
  const artifacts = join(folder, 'artifacts');
  const [stacks] = filesBelow(artifacts).filter((file) => file.endsWith('stacks.tgz'));
  execFileSync('tar', ['-xzf', stacks!, '-C', unpacked]);
  const files = [...filesBelow(unpacked), ...filesBelow(artifacts)];
  const plan = files.find((file) => file.endsWith('reviewed.plan'))!;
  const contents = [
    ...files.map((file) => readFileSync(file)),
    ...Object.values(unzipSync(readFileSync(plan))),
  ];
  return contents.map((content) => Buffer.from(content).toString('latin1'));
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
}
