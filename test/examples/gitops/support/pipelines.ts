/**
 * Reads the pipelines of examples/gitops. It knows the features of GitHub and GitLab that they use.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export const EXAMPLE = join(__dirname, '..', '..', '..', '..', 'examples', 'gitops');

export const ENVIRONMENTS = ['dev', 'stage', 'prod'] as const;

export type Event = 'review' | 'review from a fork' | 'merge' | 'schedule' | 'by hand';

/**
 * A step of a job: it runs a command in a folder, checks out the repository, or uploads or
 * downloads an artifact.
 */
export type Step =
  | {
      readonly kind: 'run';
      readonly command: string;
      readonly folder: string;
      readonly id?: string | undefined;
      /**
       * The id of an earlier step. If that step has succeeded, this one is run even if others
       * failed.
       */
      readonly evenAfter?: string | undefined;
    }
  | { readonly kind: 'check out' }
  /**
   * Uploads a file or folder. On GitHub, the artifact of a folder consists of the folder's content.
   */
  | { readonly kind: 'hand on'; readonly artifact: string; readonly file: string; readonly as: string }
  /** Downloads an artifact into a folder of the machine. */
  | {
      readonly kind: 'fetch';
      readonly artifact: string;
      readonly folder: string;
      /** Whether the step succeeds even if no job uploaded the artifact. */
      readonly mayLack?: true;
    };

export interface Job {
  /**
   * The name of the job. If it is run for each environment, it includes the environment: "plan
   * (dev)".
   */
  readonly name: string;
  /** The names, without an environment, of the jobs that have to succeed before. */
  readonly needs: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  /** The claims of the identity token of the job. Absent if the job may not request one. */
  readonly identity?: Readonly<Record<string, string>>;
}

export interface Pipeline {
  readonly name: 'github' | 'gitlab';
  /**
   * Returns the jobs that an event starts, in order.
   *
   * @param secrets the secrets that are stored in the service, by name
   */
  jobsFor(event: Event, secrets: Readonly<Record<string, string>>): readonly Job[];
}

function read<T>(file: string): T {
  return parse(readFileSync(join(EXAMPLE, file), 'utf8'), { merge: true }) as T;
}

/** By variable, its values. A job is run once for each value. */
type Matrix = Readonly<Record<string, readonly string[]>>;

interface GithubFile {
  readonly env: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, GithubJob>>;
}

interface GithubJob {
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly needs?: string | readonly string[];
  readonly strategy?: { readonly matrix: Matrix };
  readonly permissions: Readonly<Record<string, string>>;
  readonly steps: readonly GithubStep[];
}

interface GithubStep {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly 'working-directory'?: string;
}

const GITHUB_EVENTS: Readonly<Record<Event, object>> = {
  review: { event_name: 'pull_request', event: pullRequestFrom('example/estate') },
  'review from a fork': { event_name: 'pull_request', event: pullRequestFrom('stranger/estate') },
  merge: { event_name: 'push', event: {} },
  schedule: { event_name: 'schedule', event: {} },
  'by hand': { event_name: 'workflow_dispatch', event: {} },
};

function pullRequestFrom(repository: string): object {
  return { pull_request: { number: 3, head: { repo: { full_name: repository } } } };
}

export const github: Pipeline = {
  name: 'github',
  jobsFor(event, secrets) {
    const file = read<GithubFile>('github.yml');
    const token = secrets['REVIEW_TOKEN'];
    const context = { github: { repository: 'example/estate', token, ...GITHUB_EVENTS[event] } };
    return Object.entries(file.jobs)
      .filter(([, job]) => job.if === undefined || evaluate(job.if, context))
      .flatMap(([name, job]) =>
        valuesOf(job.strategy?.matrix).map((matrix): Job => {
          const known = { ...context, secrets, matrix };
          const env = filled({ ...file.env, ...job.env }, known);
          return {
            name: named(name, matrix),
            needs: [job.needs ?? []].flat(),
            env,
            steps: job.steps.flatMap((step) => githubStep(step, { ...known, env })),
            ...(job.permissions['id-token'] === 'write' && {
              identity: {
                repository: 'example/estate',
                ...(job.environment && { environment: fill(job.environment, known) }),
              },
            }),
          };
        }),
      );
  },
};

/** Fills in the expressions of a text. */
function fill(text: string, context: object): string {
  return text.replace(
    /\$\{\{(.*?)\}\}/g,
    (_, expression: string) => `${(evaluate(expression, context) as string | number | undefined) ?? ''}`,
  );
}

function filled(texts: Readonly<Record<string, string>>, context: object): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, fill(`${text}`, context)]));
}

/**
 * Returns the variable of a matrix with each of its values. Returns one empty object without a
 * matrix.
 */
function valuesOf(matrix: Matrix | undefined): readonly Readonly<Record<string, string>>[] {
  const [variable] = Object.entries(matrix ?? {});
  return variable === undefined ? [{}] : variable[1].map((value) => ({ [variable[0]]: value }));
}

function named(job: string, matrix: Readonly<Record<string, string>>): string {
  return [job, ...Object.values(matrix).map((value) => `(${value})`)].join(' ');
}

function githubStep(
  { uses = '', run, with: options, ...step }: GithubStep,
  context: object,
): readonly Step[] {
  if (step.if === '${{ !success() }}') return [];
  if (run !== undefined) {
    const [, evenAfter] = /!cancelled\(\) && steps\.(\w+)\.outcome == 'success'/.exec(step.if ?? '') ?? [];
    return [{ kind: 'run', command: run, folder: step['working-directory'] ?? '', id: step.id, evenAfter }];
  }
  if (step.if !== undefined && !evaluate(step.if, context)) return [];
  if (uses.startsWith('actions/checkout@')) return [{ kind: 'check out' }];
  const { name = '', path = '', pattern } = filled(options ?? {}, context);
  if (uses.startsWith('actions/upload-artifact@')) {
    return [{ kind: 'hand on', artifact: name, file: path, as: path.includes('.') ? path : '' }];
  }
  if (!uses.startsWith('actions/download-artifact@')) return [];
  if (pattern === undefined) return [{ kind: 'fetch', artifact: name, folder: path }];
  // Each artifact is downloaded into a folder with its name.
  return ENVIRONMENTS.map((environment) => {
    const artifact = pattern.replace('*', environment);
    return { kind: 'fetch', artifact, folder: artifact };
  });
}

/**
 * Evaluates an expression of a workflow. The pipelines only use `||` between values and comparisons
 * with `==`.
 */
function evaluate(expression: string, context: object): unknown {
  const alternatives = expression.split('||').map((alternative) => {
    const [, left, right] = /^(.*?)(?:==(.*))?$/.exec(alternative)!;
    const value = operand(left!.trim(), context);
    return right === undefined ? value : value === operand(right.trim(), context);
  });
  return alternatives.find(Boolean) ?? alternatives.at(-1);
}

/** Returns a quoted text, or the value at a path of the context. */
function operand(text: string, context: object): unknown {
  const quoted = /^'(.*)'$/.exec(text);
  if (quoted) return quoted[1];
  return text
    .split('.')
    .reduce<unknown>(
      (value, key) => (value as Readonly<Record<string, unknown>> | undefined)?.[key],
      context,
    );
}

interface GitlabFile extends Readonly<Record<string, unknown>> {
  readonly variables: Readonly<Record<string, string>>;
}

interface GitlabJob {
  /** The commands. A list within the list contains commands that several jobs share. */
  readonly script: readonly (string | readonly string[])[];
  readonly rules: readonly { readonly if: string }[];
  readonly variables?: Readonly<Record<string, string>>;
  readonly needs?: readonly string[];
  readonly environment?: string | { readonly name: string };
  readonly parallel?: { readonly matrix: readonly [Matrix] };
  readonly id_tokens?: object;
  readonly artifacts?: { readonly when?: string; readonly paths: readonly string[] };
}

const GITLAB_SOURCES: Readonly<Record<Event, string>> = {
  review: 'merge_request_event',
  // The pipeline of a fork runs in the project of the fork, which has no variables of this project.
  'review from a fork': 'merge_request_event',
  merge: 'push',
  schedule: 'schedule',
  'by hand': 'web',
};

export const gitlab: Pipeline = {
  name: 'gitlab',
  jobsFor(event, secrets) {
    const { variables, ...rest } = read<GitlabFile>('gitlab.yml');
    const source = GITLAB_SOURCES[event];
    const jobs = Object.entries(rest).filter((entry): entry is [string, GitlabJob] => isGitlabJob(...entry));
    return jobs
      .filter(([, { rules }]) => rules.some((rule) => matches(rule.if, source)))
      .flatMap(([name, job]) =>
        valuesOf(job.parallel?.matrix[0]).map((matrix): Job => ({
          name: named(name, matrix),
          needs: job.needs ?? [],
          // The project's secrets are limited to environments, so only jobs with an environment get
          // them.
          env: { ...variables, ...job.variables, ...matrix, ...(job.environment && secrets) },
          steps: [
            { kind: 'check out' },
            ...(job.needs ?? []).map((artifact): Step => ({
              kind: 'fetch',
              artifact,
              folder: '',
              mayLack: true,
            })),
            { kind: 'run', command: job.script.flat().join('\n'), folder: '' },
            ...(job.artifacts?.when === 'on_failure' ? [] : handsOn(name, job)),
          ],
          ...(job.id_tokens && {
            identity: { project_path: 'example/estate', ...environmentOf(job, matrix) },
          }),
        })),
      );
  },
};

/** Whether an entry of the file is a job. Entries with a leading dot are templates of jobs. */
function isGitlabJob(name: string, value: unknown): value is GitlabJob {
  return !name.startsWith('.') && typeof value === 'object' && value !== null && 'script' in value;
}

function environmentOf(
  { environment }: GitlabJob,
  { ENVIRONMENT = '' }: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (environment === undefined) return {};
  const name = typeof environment === 'string' ? environment : environment.name;
  return { environment: name.replace('$ENVIRONMENT', ENVIRONMENT) };
}

function matches(rule: string, source: string): boolean {
  return rule === `$CI_PIPELINE_SOURCE == "${source}"`;
}

function handsOn(artifact: string, { artifacts }: GitlabJob): readonly Step[] {
  return (artifacts?.paths ?? []).map((file) => ({ kind: 'hand on', artifact, file, as: file }));
}
