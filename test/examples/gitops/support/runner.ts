import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { parseEnv } from 'node:util';
import { curlCommand, programPath } from '../../../support/programs';
import { terraformBinary } from '../../../support/terraform';
import type { Estate } from './estate';
import type { Event, Job, Pipeline } from './pipelines';
import { shell, type Ended } from './shell';

const LIB = join(__dirname, '..', '..', '..', '..', 'lib');

/** What a job printed, and what it wrote for the page of its run. */
export interface Finished {
  readonly name: string;
  readonly code: number;
  readonly output: string;
  readonly summary: string;
}

/** Runs the jobs that an event starts, until one fails. */
export async function runPipeline(
  estate: Estate,
  pipeline: Pipeline,
  event: Event,
): Promise<readonly Finished[]> {
  const finished: Finished[] = [];
  for (const job of pipeline.jobsFor(event, estate.store.credentials)) {
    finished.push(await runJob(estate, pipeline.name, job));
    if (finished.at(-1)!.code !== 0) break;
  }
  return finished;
}

/** Runs a job on a machine of its own, which has the artifacts of the earlier ones and nothing else. */
export async function runJob(estate: Estate, service: Pipeline['name'], job: Job): Promise<Finished> {
  const machine = mkdtempSync(join(estate.folder, `${job.name}-`));
  const identity = await identityOf(estate, service, job);
  const files = { GITHUB_ENV: join(machine, 'github.env'), GITHUB_STEP_SUMMARY: join(machine, 'summary.md') };
  for (const file of Object.values(files)) writeFileSync(file, '');
  const env = {
    ...files,
    PATH: toolsOf(machine),
    HOME: machine,
    TMPDIR: machine,
    CHECKPOINT_DISABLE: '1',
    CI_PROJECT_DIR: machine,
    ...job.env,
    ...addresses(estate),
    ...identity.env,
  };
  try {
    const { code, output } = await runSteps(job, machine, estate.folder, (command, folder) =>
      shell(command, join(machine, folder), { ...env, ...parseEnv(readFileSync(files.GITHUB_ENV, 'utf8')) }),
    );
    return { name: job.name, code, output, summary: readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8') };
  } finally {
    await identity.close();
    // Terraform's links into this machine must lead nowhere on the next one.
    rmSync(machine, { recursive: true });
  }
}

/** @param artifacts the folder through which jobs hand on files. */
async function runSteps(
  { steps }: Job,
  machine: string,
  artifacts: string,
  run: (command: string, folder: string) => Promise<Ended>,
): Promise<Ended> {
  let output = '';
  let code = 0;
  for (const step of steps) {
    if (code !== 0 && !(step.kind === 'run' && step.always)) continue;
    switch (step.kind) {
      case 'hand on':
        copyFileSync(join(machine, step.artifact), join(artifacts, step.artifact));
        break;
      case 'fetch':
        copyFileSync(join(artifacts, step.artifact), join(machine, step.artifact));
        break;
      case 'run': {
        const ended = await run(step.command, step.folder);
        // The services take these lines for themselves.
        output += ended.output.replace(/^::add-mask::.*\n/gm, '');
        code ||= ended.code;
      }
    }
  }
  return { code, output };
}

/** What stands in the files of a real project: they name places that are not there. */
function addresses({ server, store }: Estate): Readonly<Record<string, string>> {
  return { VAULT_ADDR: server.address, ...store.settings(store.address) };
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

/** A PATH for a machine: what a shell has, Node.js, curl, Terraform, and the app's dependencies in the words that need them. */
export function toolsOf(machine: string): string {
  const bin = join(machine, 'bin');
  mkdirSync(bin);
  symlinkSync(process.execPath, join(bin, 'node'));
  symlinkSync(programPath(terraformBinary()), join(bin, 'terraform'));
  // The app is installed and compiled here already.
  const script = (name: string, text: string) =>
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  script('curl', `exec ${curlCommand()} "$@"`);
  script(
    'npm',
    `[ "$1" != ci ] || exec mkdir node_modules\nexec node ${join(LIB, 'examples', 'gitops', 'main.js')}`,
  );
  script('npx', `shift && exec node ${join(LIB, 'src', 'cli', 'main.js')} "$@"`);
  return [bin, '/usr/bin', '/bin'].join(delimiter);
}
