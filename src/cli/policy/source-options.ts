import type { Command } from 'commander';

/** The option that chooses by which server version's rules policies decide. */
export const SERVER_VERSION = [
  '--server-version <VERSION>',
  "follow the rules of this server version (default: the cluster's, or 1.21.0)",
] as const;

/** The options that choose policies, for commands that ask them. */
export function withSources(command: Command): Command {
  return command
    .option('--policy <NAME...>', 'only the policies with these names')
    .option('--cluster <NAME>', 'the policies of a running cluster')
    .option('--token-accessor <ACCESSOR>', 'with --cluster: the policies of a token')
    .option('--entity <NAME>', 'with --cluster: the policies of an entity and its groups')
    .option('--role <PATH>', 'with --cluster: those of a role, such as auth/approle/role/app')
    .option(...SERVER_VERSION);
}
