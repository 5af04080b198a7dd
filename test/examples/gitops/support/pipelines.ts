/** Reads the parts of services' pipelines that examples/gitops uses, as the services do. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export const EXAMPLE = join(__dirname, '..', '..', '..', '..', 'examples', 'gitops');

export type Event = 'review' | 'review from a fork' | 'merge' | 'schedule' | 'by hand';

/**
 * The action of a step: a command in a folder, the files of the repository, or a file that is
 * handed on or fetched.
 */
export type Step =
  | {
      readonly kind: 'run';
      readonly command: string;
      readonly folder: string;
      readonly id?: string | undefined;
      /**
       * The id of a step: once that has succeeded, this one is run although others may have failed.
       */
      readonly evenAfter?: string | undefined;
    }
  | { readonly kind: 'check out' }
  | { readonly kind: 'hand on'; readonly artifact: string; readonly file: string }
  /** Into a folder of the machine. */
  | { readonly kind: 'fetch'; readonly artifact: string; readonly folder: string };

export interface Job {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  /** The claims of the identity token that the job can have, where it can have one. */
  readonly identity?: Readonly<Record<string, string>>;
}

export interface Pipeline {
  readonly name: 'github' | 'gitlab';
  /**
   * The jobs that an event starts, in their order.
   *
   * @param secrets that the service keeps.
   */
  jobsFor(event: Event, secrets: Readonly<Record<string, string>>): readonly Job[];
}

function read<T>(file: string): T {
  return parse(readFileSync(join(EXAMPLE, file), 'utf8')) as T;
}

interface GithubFile {
  readonly env: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, GithubJob>>;
}

interface GithubJob {
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly environment?: string;
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
      .map(([name, job]) => {
        const fill = (text: string) =>
          text.replace(
            /\$\{\{(.*?)\}\}/g,
            (_, expression: string) =>
              `${(evaluate(expression, { ...context, secrets }) as string | number | undefined) ?? ''}`,
          );
        const env = Object.entries({ ...file.env, ...job.env }).map(([key, value]) => [key, fill(value)]);
        return {
          name,
          env: Object.fromEntries(env) as Record<string, string>,
          steps: job.steps.flatMap((step) => githubStep(step, context)),
          ...(job.permissions['id-token'] === 'write' && {
            identity: {
              repository: 'example/estate',
              ...(job.environment && { environment: job.environment }),
            },
          }),
        };
      });
  },
};

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
  const { name = '', path = '' } = options ?? {};
  if (uses.startsWith('actions/upload-artifact@')) return [{ kind: 'hand on', artifact: name, file: path }];
  if (uses.startsWith('actions/download-artifact@')) return [{ kind: 'fetch', artifact: name, folder: path }];
  return [];
}

/**
 * Evaluates an expression of a workflow. The pipelines only use alternatives of values, and of
 * comparisons of two values.
 */
function evaluate(expression: string, context: object): unknown {
  const alternatives = expression.split('||').map((alternative) => {
    const [, left, right] = /^(.*?)(?:==(.*))?$/.exec(alternative)!;
    const value = operand(left!.trim(), context);
    return right === undefined ? value : value === operand(right.trim(), context);
  });
  return alternatives.find(Boolean) ?? alternatives.at(-1);
}

/** A text in quotes, or what a path leads to; what is not there is nothing. */
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
  /** Commands, and lists of commands that jobs share. */
  readonly script: readonly (string | readonly string[])[];
  readonly rules: readonly { readonly if: string }[];
  readonly variables?: Readonly<Record<string, string>>;
  readonly needs?: readonly string[];
  readonly environment?: string | { readonly name: string };
  readonly id_tokens?: object;
  readonly artifacts?: { readonly when?: string; readonly paths: readonly string[] };
}

const GITLAB_SOURCES: Readonly<Record<Event, string>> = {
  review: 'merge_request_event',
  // In a project of its own, which has none of this one's variables.
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
    const jobs = Object.entries(rest).filter((entry): entry is [string, GitlabJob] => isGitlabJob(entry[1]));
    return jobs
      .filter(([, { rules }]) => rules.some((rule) => matches(rule.if, source)))
      .map(([name, job]) => ({
        name,
        // Those of the project, which are for environments.
        env: { ...variables, ...job.variables, ...(job.environment && secrets) },
        steps: [
          { kind: 'check out' },
          ...(job.needs ?? []).map((artifact): Step => ({ kind: 'fetch', artifact, folder: '' })),
          { kind: 'run', command: job.script.flat().join('\n'), folder: '' },
          ...(job.artifacts?.when === 'on_failure' ? [] : handsOn(name, job)),
        ],
        ...(job.id_tokens && {
          identity: {
            project_path: 'example/estate',
            ...environmentOf(job),
          },
        }),
      }));
  },
};

function isGitlabJob(value: unknown): value is GitlabJob {
  return typeof value === 'object' && value !== null && 'script' in value;
}

function environmentOf({ environment }: GitlabJob): Readonly<Record<string, string>> {
  if (environment === undefined) return {};
  return { environment: typeof environment === 'string' ? environment : environment.name };
}

function matches(rule: string, source: string): boolean {
  return rule === `$CI_PIPELINE_SOURCE == "${source}"`;
}

function handsOn(artifact: string, { artifacts }: GitlabJob): readonly Step[] {
  return (artifacts?.paths ?? []).map((file) => ({ kind: 'hand on', artifact, file }));
}
