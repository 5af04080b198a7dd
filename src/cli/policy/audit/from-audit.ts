import { writeFileSync } from 'node:fs';
import {
  aclOptionsFor,
  parseAclPolicy,
  readAuditLine,
  ReplayedPolicies,
  SHIPPED_DEFAULT_POLICY,
  TooComplexError,
  Uses,
  writePolicyFor,
  type AuditedRequest,
  type NamedAclPolicy,
  type WrittenPolicy,
} from '../../../model';
import { ASSUMED_SERVER_VERSION } from '../../../model/versions';
import { visible } from '../../../text';
import { UserError } from '../../errors';
import { EXIT, type ExitCode } from '../../exit-codes';
import { printContent, printJson, printWrapped } from '../../output/print';
import { withProgress } from '../../output/progress';
import { policiesAt } from '../sources/files';
import { allParsed, parsePolicies } from '../sources/policy-source';
import { readPolicies } from '../sources/read-set';
import { Account, type AuditLogCounts } from './account';
import { linesOf } from './lines';
import { policyComment, reportJson, reportLines, unreadableText } from './messages';
import type { VaultClient } from '../../../client';
import { withClient } from '../sources/policies-on-cluster';

interface HolderFlags {
  /** The id of an entity; with a cluster, also its name. */
  readonly entity?: string;
  /** The name of a role, or its path. */
  readonly role?: string;
  /** The token accessor as it is logged; with a cluster, also without hashing. */
  readonly accessor?: string;
  readonly cluster?: string;
}

export interface FromAuditFlags extends HolderFlags {
  readonly policies?: readonly string[];
  readonly against?: readonly string[];
  readonly pattern?: readonly string[];
  readonly mergeFrom?: number;
  readonly parameters?: boolean;
  readonly output?: string;
  readonly serverVersion?: string;
  readonly json?: boolean;
}

/** Decides again on the requests in audit logs, and writes a policy for them. */
export async function fromAudit(
  files: readonly string[],
  flags: FromAuditFlags,
  env: NodeJS.ProcessEnv,
): Promise<ExitCode> {
  const isAsked = await holderOf(flags, env);
  const replayed = await replayedPolicies(flags, env);
  if (!replayed) return EXIT.unknown;
  const { today, against } = replayed;

  const patterns = (flags.pattern ?? []).map((pattern) => pattern.replace(/^\//, ''));
  const ofEveryToken = new ReplayedPolicies([DEFAULT]);
  const uses = new Uses(patterns);
  const account = new Account(today, against);
  const reading: AuditLogCounts = { requests: 0, allowed: 0, unreadable: 0, first: '', last: '' };
  const reports = today !== undefined || against !== undefined;
  const writes = !reports || flags.output !== undefined || flags.json === true;
  await eachRequest(files, reading, (audited) => {
    if (!isAsked(audited)) return;
    note(reading, audited);
    account.add(audited);
    if (writes && audited.allowed && !isOfEveryToken(ofEveryToken, audited)) uses.add(audited);
  });
  if (reading.requests === 0) throw new UserError(nothingFound(reading));

  const written = writes ? write(uses, patterns, flags) : undefined;
  if (written && flags.output !== undefined) save(flags.output, withComment(written, reading, uses));
  if (flags.json) printJson(process.stdout, reportJson(reading, account, written, { today, against }));
  else if (reports || flags.output !== undefined) {
    printWrapped(process.stdout, reportLines(reading, account, { today, against, output: flags.output }));
  } else if (written) printContent(process.stdout, withComment(written, reading, uses));
  return account.refusedThen.total > 0 ? EXIT.problems : EXIT.ok;
}

async function eachRequest(
  files: readonly string[],
  reading: AuditLogCounts,
  use: (audited: AuditedRequest) => void,
): Promise<void> {
  for (const file of files) {
    await withProgress(`reading ${file}`, async (progress) => {
      for await (const lines of linesOf(file)) {
        for (const line of lines) {
          const read = readAuditLine(line);
          if (read === 'unreadable') reading.unreadable++;
          else if (typeof read === 'object') use(read);
        }
        progress.say(`reading ${file}: ${reading.requests} requests`);
      }
    });
  }
}

function note(reading: AuditLogCounts, { allowed, time }: AuditedRequest): void {
  reading.requests++;
  if (allowed) reading.allowed++;
  if (time === '') return;
  if (reading.first === '' || time < reading.first) reading.first = time;
  if (time > reading.last) reading.last = time;
}

const DEFAULT: NamedAclPolicy = { name: 'default', policy: parseAclPolicy(SHIPPED_DEFAULT_POLICY) };

/** Whether the policy `default`, which tokens usually have, allows a request. */
function isOfEveryToken(policies: ReplayedPolicies, audited: AuditedRequest): boolean {
  return (
    audited.policies.includes('default') &&
    policies.decide({ ...audited, policies: ['default'] }) === 'allowed'
  );
}

interface Replays {
  readonly today: ReplayedPolicies | undefined;
  readonly against: ReplayedPolicies | undefined;
}

/** @returns `undefined` if a cluster did not answer; this is reported already. */
async function replayedPolicies(flags: FromAuditFlags, env: NodeJS.ProcessEnv): Promise<Replays | undefined> {
  const { policies = [], against, cluster, serverVersion } = flags;
  const isGiven = policies.length > 0 || cluster !== undefined;
  const where = {
    ...(cluster !== undefined && { cluster }),
    ...(serverVersion !== undefined && { serverVersion }),
  };
  const read = isGiven ? await readPolicies(policies, where, env) : undefined;
  if (isGiven && !read) return undefined;
  const today = read ? allParsed(read) : [];
  const version = read?.version ?? serverVersion ?? ASSUMED_SERVER_VERSION;
  const options = aclOptionsFor(version);
  const replayed = (all: readonly NamedAclPolicy[]) => new ReplayedPolicies(withDefault(all), options);
  const later = against && allParsed(parsePolicies(against.flatMap(policiesAt), version));
  return {
    today: read && replayed(today),
    // If two policies have the same name, the later one counts.
    against: later && replayed([...today, ...later]),
  };
}

function withDefault(policies: readonly NamedAclPolicy[]): readonly NamedAclPolicy[] {
  return [DEFAULT, ...policies];
}

function write(uses: Uses, patterns: readonly string[], flags: FromAuditFlags): WrittenPolicy {
  if (uses.leftOut > 0) {
    throw new UserError({
      summary: `the requests use more than ${uses.list().length} paths, too many for one policy`,
      cures: 'combine paths (--pattern), or select requests (--entity, --role, --accessor)',
    });
  }
  const { mergeFrom, parameters = false } = flags;
  const { namespace } = uses;
  try {
    return writePolicyFor(uses.list(), patterns, {
      namespace,
      parameters,
      ...(mergeFrom !== undefined && { mergeFrom }),
    });
  } catch (error) {
    if (!(error instanceof TooComplexError)) throw error;
    throw new UserError({
      summary: 'the paths of the requests are too many or too long for --merge-from',
      cures: 'combine paths with --pattern, or select requests (--entity, --role, --accessor)',
    });
  }
}

/**
 * Returns the policy with a comment above it. Line breaks in texts of a log are escaped: they could
 * end the comment, and the next line would be a rule.
 */
function withComment(written: WrittenPolicy, reading: AuditLogCounts, { namespace }: Uses): string {
  const comment = policyComment(written, reading, namespace).map((line) => `# ${visible(line)}`.trimEnd());
  return `${comment.join('\n')}\n\n${written.text}`;
}

function save(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UserError(visible(`${file} cannot be written: ${(error as Error).message}`));
  }
}

function nothingFound({ unreadable }: AuditLogCounts): string {
  const hint =
    unreadable > 0
      ? `Skipped ${unreadableText(unreadable)}.`
      : 'Logins, and requests with invalid tokens, are not counted.';
  return `the logs contain no matching request\n${hint}`;
}

/** Returns a function that says whether the selected holder made a logged request. */
async function holderOf(
  { entity, role, accessor, cluster }: HolderFlags,
  env: NodeJS.ProcessEnv,
): Promise<(audited: AuditedRequest) => boolean> {
  const roleName = role?.split('/').at(-1);
  const asLogged =
    cluster === undefined || (entity === undefined && accessor === undefined)
      ? { entities: [entity], accessors: [accessor] }
      : await withClient(cluster, env, async (client) => ({
          entities: [entity, await idOfEntity(client, entity)],
          accessors: [accessor, ...(await hashesOf(client, accessor))],
        }));
  const { entities, accessors } = asLogged;
  return (audited) =>
    (entity === undefined || entities.includes(audited.entityId)) &&
    (accessor === undefined || accessors.includes(audited.accessor)) &&
    (roleName === undefined || [audited.metadata.role, audited.metadata.role_name].includes(roleName));
}

async function idOfEntity(client: VaultClient, name: string | undefined): Promise<string | undefined> {
  if (name === undefined) return undefined;
  const id = (await client.read(`identity/entity/name/${name}`))?.data.id;
  return typeof id === 'string' ? id : undefined;
}

/** Returns the values that the audit devices log for a text. Each device hashes it differently. */
async function hashesOf(client: VaultClient, text: string | undefined): Promise<readonly string[]> {
  if (text === undefined) return [];
  const devices = (await client.auditDevices.list()).data.keys;
  const answers = await Promise.all(
    devices.map((device) => client.write(`sys/audit-hash/${device.replace(/\/$/, '')}`, { input: text })),
  );
  return answers.map(({ data }) => data.hash).filter((hash) => typeof hash === 'string');
}
