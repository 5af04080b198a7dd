import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { startEstate, type Estate } from './support/estate';
import { github, gitlab, type Event } from './support/pipelines';
import { runJob, runPipeline, type Finished } from './support/runner';
import { shell } from './support/shell';

const POLICY = 'sys/policies/acl/app-reader';

const codes = (jobs: readonly Finished[]) => jobs.map(({ name, code }) => [name, code]);

describe.each([
  { pipeline: github, store: 's3', claims: { repository: 'example/estate' } },
  { pipeline: gitlab, store: 'http', claims: { project_path: 'example/estate' } },
] as const)('$pipeline.name, with the state in $store', ({ pipeline, store, claims }) => {
  let estate: Estate;
  const printed: string[] = [];
  beforeAll(async () => {
    estate = await startEstate(store, claims);
  });
  afterAll(() => estate.close());

  async function run(event: Event): Promise<readonly Finished[]> {
    const jobs = await runPipeline(estate, pipeline, event);
    printed.push(...jobs.map(({ output, summary }) => output + summary));
    return jobs;
  }
  const job = (event: Event, name: string) =>
    pipeline.jobsFor(event, estate.store.credentials).find((each) => each.name === name)!;

  test('a review is planned, and changes nothing', async () => {
    const jobs = await run('review');
    expect(codes(jobs)).toEqual([
      ['synth', 0],
      ['plan', 0],
    ]);
    expect(jobs[1]!.output).toContain('Plan: 1 to add, 0 to change, 0 to destroy.');
    expect((await estate.api.get(POLICY)).status).toBe(404);
    expect(estate.store.state()).toBeUndefined();
  });

  test('who reviews cannot apply', async () => {
    const { name, env, steps } = job('merge', 'apply');
    await runJob(estate, pipeline.name, job('merge', 'plan'));
    const attempt = (role: string) =>
      runJob(estate, pipeline.name, {
        name,
        env: { ...env, TF_VAR_vault_role: role },
        steps,
        identity: claims,
      });

    expect((await attempt('plan')).output).toContain('cannot create ACL policy "app-reader"');
    expect((await attempt('apply')).output).toContain('error validating claims');
    expect((await estate.api.get(POLICY)).status).toBe(404);
  });

  test('a merge is planned anew, and what was planned is applied once', async () => {
    const jobs = await run('merge');
    expect(codes(jobs)).toEqual([
      ['synth', 0],
      ['plan', 0],
      ['apply', 0],
    ]);
    expect(jobs[2]!.output).toContain('Apply complete! Resources: 1 added, 0 changed, 0 destroyed.');
    expect((await estate.api.get(POLICY)).status).toBe(200);

    const again = await runJob(estate, pipeline.name, job('merge', 'apply'));
    expect(again).toMatchObject({ code: 1, output: expect.stringContaining('Saved plan is stale') });
  });

  test('every night it is seen whether somebody changed a thing by hand', async () => {
    expect(codes(await run('schedule'))).toEqual([['watch', 0]]);
    await estate.api.put(POLICY, { policy: 'path "secret/*" { capabilities = ["read"] }' });
    const [watch] = await run('schedule');
    expect(watch!.output).toContain('Plan: 0 to add, 1 to change, 0 to destroy.');
    expect(watch!.code).toBe(2);
  });

  test('no secret and no identity is printed, handed on or stored', async () => {
    const handedOn = await shell(
      'mkdir on && tar -xzf reviewed.tgz -C on && cat $(find on -type f) && cat on/cdktf.out/stacks/gitops/.terraform/*',
      estate.folder,
      process.env,
    );
    const plan = unzipSync(
      readFileSync(join(estate.folder, 'on', 'cdktf.out', 'stacks', 'gitops', 'reviewed.plan')),
    );
    const texts = [
      handedOn.output,
      ...Object.values(plan).map((file) => Buffer.from(file).toString('latin1')),
      estate.store.state()!,
      ...printed,
    ];
    const secrets = [...estate.secrets, ...estate.identities.issued, 'hvs.'];
    expect(secrets.filter((secret) => texts.some((text) => text.includes(secret)))).toEqual([]);
  });
});

test('a review from a fork is synthesized on GitHub, and nothing more', () => {
  expect(github.jobsFor('review from a fork', {}).map(({ name }) => name)).toEqual(['synth']);
});
