import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { parseEnv } from 'node:util';
import { curlCommand, programPath } from '../../../support/programs';
import { sharedEnvironment } from '../../../support/shared-folder';
import { terraformBinary } from '../../../support/terraform';
import { makeOwn, type Estate } from './estate';
import { type Event, type Job, type Pipeline } from './pipelines';
import { shell, type Ended } from './shell';

const LIB = join(__dirname, '..', '..', '..', '..', 'lib');

/** The result of a job. `summary` is the text that GitHub shows on the page of the run. */
export interface Finished {
  readonly name: string;
  readonly code: number;
  readonly output: string;
  readonly summary: string;
}

/** The result of the job "synth", by its estate. */
const synthesized = new WeakMap<Estate, Finished>();

/**
 * Runs the jobs that an event starts. A job is left out if a job that it needs did not succeed. The
 * job "synth" is run for the first event only: it is the same for each, and so is the commit.
 */
export async function runPipeline(
  estate: Estate,
  pipeline: Pipeline,
  event: Event,
): Promise<readonly Finished[]> {
  const finished: Finished[] = [];
  const secrets = { ...estate.store.credentials, REVIEW_TOKEN: estate.reviews.token };
  const missing = new Set<string>();
  for (const job of pipeline.jobsFor(event, secrets)) {
    const [id] = job.name.split(' ');
    const isRun = !job.needs.some((name) => missing.has(name));
    const earlier = job.name === 'synth' ? synthesized.get(estate) : undefined;
    if (isRun) finished.push(earlier ?? (await runJob(estate, pipeline.name, job)));
    if (job.name === 'synth') synthesized.set(estate, finished.at(-1)!);
    if (!isRun || finished.at(-1)!.code !== 0) missing.add(id!);
  }
  return finished;
}

/** Runs a job on a machine of its own, which has only the artifacts of earlier jobs. */
export async function runJob(estate: Estate, service: Pipeline['name'], job: Job): Promise<Finished> {
  const machine = mkdtempSync(join(estate.folder, `${job.name.split(' ')[0]}-`));
  const places = { repository: await repositoryOf(estate), artifacts: join(estate.folder, 'artifacts') };
  const identity = await identityOf(estate, service, job);
  const files = { GITHUB_ENV: join(machine, 'github.env'), GITHUB_STEP_SUMMARY: join(machine, 'summary.md') };
  for (const file of Object.values(files)) writeFileSync(file, '');
  const env = {
    ...sharedEnvironment(),
    ...files,
    PATH: toolsOf(machine),
    HOME: machine,
    TMPDIR: machine,
    CHECKPOINT_DISABLE: '1',
    CI_PROJECT_DIR: machine,
    ...estate.reviews.env,
    ...job.env,
    ...estate.store.env(estate.store.address),
    ...identity.env,
  };
  try {
    const { code, output } = await runSteps(job, machine, places, (command, folder) =>
      shell(command, join(machine, folder), { ...env, ...parseEnv(readFileSync(files.GITHUB_ENV, 'utf8')) }),
    );
    return { name: job.name, code, output, summary: readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8') };
  } finally {
    await identity.close();
    // Links that Terraform made into this machine must not work on the next machine.
    rmSync(machine, { recursive: true });
  }
}

/** @param artifacts the folder for the artifacts, each in a folder of its own */
async function runSteps(
  { steps }: Job,
  machine: string,
  { repository, artifacts }: { readonly repository: string; readonly artifacts: string },
  run: (command: string, folder: string) => Promise<Ended>,
): Promise<Ended> {
  const succeeded = new Set<string>();
  let output = '';
  let code = 0;
  for (const step of steps) {
    if (code !== 0 && !(step.kind === 'run' && step.evenAfter && succeeded.has(step.evenAfter))) continue;
    switch (step.kind) {
      case 'check out':
        cpSync(repository, machine, { recursive: true });
        break;
      case 'hand on':
        cpSync(join(machine, step.file), join(artifacts, step.artifact, step.as), { recursive: true });
        break;
      case 'fetch':
        if (step.mayLack && !existsSync(join(artifacts, step.artifact))) break;
        cpSync(join(artifacts, step.artifact), join(machine, step.folder), { recursive: true });
        break;
      case 'run': {
        const ended = await run(step.command, step.folder);
        // GitHub and GitLab remove these lines from the output.
        output += ended.output.replace(/^::add-mask::.*\n/gm, '');
        code ||= ended.code;
        if (ended.code === 0 && step.id) succeeded.add(step.id);
      }
    }
  }
  return { code, output };
}

async function identityOf(
  { identities }: Estate,
  service: Pipeline['name'],
  { identity }: Job,
): Promise<{ env: Readonly<Record<string, string>>; close(): Promise<void> }> {
  if (identity === undefined) return { env: {}, close: async () => undefined };
  if (service === 'github') return identities.serve(identity);
  return { env: { TF_VAR_id_token: await identities.issue(identity) }, close: async () => undefined };
}

/**
 * Returns the folder of the committed files. The first call creates them as the guide says: the
 * author of the app installs packages, synthesizes, and writes the hashes of packages and
 * synthesized files.
 */
async function repositoryOf(estate: Estate): Promise<string> {
  const repository = join(estate.folder, 'repository');
  if (existsSync(repository)) return repository;
  const author = mkdtempSync(join(estate.folder, 'author-'));
  makeOwn(estate, author);
  const packages = { '': {}, 'node_modules/cdktf-vault-admin': {}, 'node_modules/typescript': { dev: true } };
  writeFileSync(join(author, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }));
  const { code, output } = await shell('npm ci && npm run synth && node hashes.mjs write', author, {
    PATH: toolsOf(author),
    ...estate.store.env(estate.store.address),
  });
  if (code !== 0) throw new Error(output);
  for (const made of ['bin', 'cdktf.out', 'node_modules']) rmSync(join(author, made), { recursive: true });
  renameSync(author, repository);
  return repository;
}

/**
 * Returns a PATH for a machine, with the programs of the system, Node.js, curl, Terraform, and a
 * replacement of npm that installs and synthesizes the app.
 */
export function toolsOf(machine: string): string {
  const bin = join(machine, 'bin');
  mkdirSync(bin);
  symlinkSync(process.execPath, join(bin, 'node'));
  symlinkSync(programPath(terraformBinary()), join(bin, 'terraform'));
  // The replacement of npm uses the app that is installed and compiled here already.
  const script = (name: string, text: string) =>
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  script('curl', `exec ${curlCommand()} "$@"`);
  const installed = 'node_modules/cdktf-vault-admin/lib/src/cli';
  script(
    'npm',
    `case "$*" in
ci*) mkdir -p ${installed} && echo 'require("${join(LIB, 'src', 'cli', 'main.js')}");' > ${installed}/main.js ;;
'run synth') exec node ${join(LIB, 'examples', 'gitops', 'main.js')} ;;
audit*) ;;
*) exit 64 ;;
esac`,
  );
  return [bin, '/usr/bin', '/bin'].join(delimiter);
}
