import { InvalidArgumentError, Option, type Command } from 'commander';
import { ACL_SERVER_SETTINGS, type AclServerSettings } from '../../model/acl/settings';
import { parseDuration } from '../../model/durations';
import { ASSUMED_SERVER_VERSION } from '../../model/versions';

/** The option for the server version whose rules decide. */
export const SERVER_VERSION = [
  '--server-version <VERSION>',
  `follow the rules of this server version (default: the cluster's, or ${ASSUMED_SERVER_VERSION})`,
  version,
] as const;

function version(text: string): string {
  if (/^(openbao-)?\d+\.\d+/.test(text)) return text;
  throw new InvalidArgumentError(
    `Allowed are versions such as ${ASSUMED_SERVER_VERSION}, or openbao-2.6 for OpenBao.`,
  );
}

/** The option for settings of the server. */
export const SERVER_SETTINGS = [
  '--server-setting <NAME>',
  `follow the rules of a server with this setting; may be repeated: ${[...ACL_SERVER_SETTINGS.keys()].join(', ')}`,
  setting,
] as const;

function setting(name: string, others: AclServerSettings = {}): AclServerSettings {
  const key = ACL_SERVER_SETTINGS.get(name);
  if (key === undefined)
    throw new InvalidArgumentError(`Allowed are ${[...ACL_SERVER_SETTINGS.keys()].join(', ')}.`);
  return { ...others, [key]: true };
}

/**
 * Adds a value to the earlier values of an option that may be repeated. Commander's own lists of
 * values would also take the arguments that follow.
 */
export function repeated(value: string, others: readonly string[] = []): readonly string[] {
  return [...others, value];
}

/** Adds NAME=VALUE to the earlier values of an option that may be repeated. */
export function namedValue(
  text: string,
  others: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const end = text.indexOf('=');
  if (end < 1) throw new InvalidArgumentError('Expected NAME=VALUE.');
  return { ...others, [text.slice(0, end)]: text.slice(end + 1) };
}

/** Returns the seconds of a duration. */
export function duration(text: string): number {
  try {
    return parseDuration(text);
  } catch {
    throw new InvalidArgumentError('Allowed are durations such as 90s, 5m or 1h.');
  }
}

/** The option that limits the time of a policy. */
export const TIMEOUT = [
  '--timeout <DURATION>',
  'stop a policy that runs longer, such as 5s (default: its steps alone are limited)',
  duration,
] as const;

/** The option that allows the import `http`. */
export const ALLOW_HTTP = [
  '--allow-http',
  'send the requests of policies that import "http" (default: refuse them)',
] as const;

/** The option that chooses policies by name. */
export const POLICY_NAMES = [
  '--policy <NAME>',
  'only the policies with this name; may be repeated',
  repeated,
] as const;

const IDENTITY = [
  '--identity <FILE>',
  'fill in templates ({{identity…}}) for an entity and its groups: JSON as the API gives them',
] as const;

/**
 * Adds the options that select a holder of policies on a cluster, and an identity for templates.
 */
export function withHolder(command: Command, cluster: '--cluster' | '--from-cluster'): Command {
  return command
    .option('--token-accessor <ACCESSOR>', `with ${cluster}: the policies of a token`)
    .option('--entity <NAME>', `with ${cluster}: the policies of an entity and its groups`)
    .option('--role <PATH>', `with ${cluster}: those of a role, such as auth/approle/role/app`)
    .option(...IDENTITY);
}

/** Adds the options that select policies, for commands that decide on requests. */
export function withSources(command: Command): Command {
  const chosen = command
    .option(...POLICY_NAMES)
    .option('--cluster <NAME>', 'the policies of a running cluster');
  return withHolder(chosen, '--cluster')
    .option(...SERVER_VERSION)
    .option(...SERVER_SETTINGS);
}

/** Adds the options for the limits of an agent. */
export function withAgentLimits(command: Command): Command {
  return command
    .option(
      '--ceiling <NAME>',
      'a policy of the ceiling of an agent, which limits the others; may be repeated',
      repeated,
    )
    .option(
      '--authorization-details <FILE>',
      'the claim authorization_details in the token of an agent, as JSON',
    );
}

/** The option for the version of Sentinel whose features are allowed. */
export const SENTINEL_VERSION = [
  '--sentinel-version <VERSION>',
  'refuse features that are newer than this version of Sentinel (default: 0.41)',
] as const;

export const SENTINEL_OF_SERVER = new Option(
  '--server-version <VERSION>',
  'refuse features that the Sentinel in this version of Vault, such as 1.16, does not have',
).conflicts('sentinelVersion');

/** The formats in which commands print their findings. */
const FORMATS = ['text', 'json', 'sarif', 'junit', 'github', 'markdown'] as const;

export interface OutputFormatFlags {
  readonly format?: (typeof FORMATS)[number];
  readonly json?: boolean;
}

/** Adds the options that select a format. */
export function withFormats(command: Command): Command {
  return command
    .addOption(new Option('--format <FORMAT>', 'how to print the result (default: text)').choices(FORMATS))
    .addOption(new Option('--json', 'print one JSON object, as --format json does').conflicts('format'));
}
