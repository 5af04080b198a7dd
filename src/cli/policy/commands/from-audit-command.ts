import { Command, InvalidArgumentError } from 'commander';
import { EXIT, exitCodesHelp } from '../../exit-codes';
import type { FromAuditFlags } from '../audit/from-audit';
import { repeated, SERVER_VERSION } from '../source-options';

/**
 * Returns `cdktf-vault-admin policy from-audit`: writes a policy for the requests in audit logs, or
 * decides on them again.
 */
export function fromAuditCommand(): Command {
  return new Command('from-audit')
    .summary('write an ACL policy from audit logs, or replay them')
    .description(
      'Read audit logs in JSON, and write an ACL policy that allows the requests in them, and nothing else. With current or ' +
        'proposed policies, decide every logged request again, and list those that would be decided differently.',
    )
    .argument('<FILE...>', 'audit logs; *.gz is decompressed, "-" is standard input')
    .option('--entity <ID>', 'only requests of this entity: its ID or, with --cluster, its name')
    .option('--role <NAME>', 'only requests with tokens from a login with this role')
    .option(
      '--accessor <ACCESSOR>',
      'only requests with the token that has this accessor, as logged or, with --cluster, unhashed',
    )
    .option(
      '--policies <SOURCE>',
      'the current policies: a file, a folder, or the output folder of an app; may be repeated',
      repeated,
    )
    .option('--cluster <NAME>', 'read the current policies from a running cluster')
    .option(
      '--against <SOURCE>',
      'proposed policies, which replace the current ones with the same names; may be repeated',
      repeated,
    )
    .option(
      '--pattern <PATTERN>',
      'write a single rule for all requests that match a pattern, such as "secret/data/app/*"; may be repeated',
      repeated,
    )
    .option(
      '--merge-from <NUMBER>',
      'write a single rule with "+" for at least this many paths that differ in one segment (default: never)',
      atLeastTwo,
    )
    .option('--parameters', 'allow only the parameters that were sent (default: all parameters)')
    .option('--output <FILE>', 'write the policy to a file, and print a report')
    .option(...SERVER_VERSION)
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      exitCodesHelp({
        [EXIT.ok]: 'the logs were read',
        [EXIT.problems]: 'the proposed policies would deny a request that was allowed',
        [EXIT.unknown]: 'the cluster did not answer',
      }) +
        '\nExamples:\n  $ npx cdktf-vault-admin policy from-audit audit.log --role app > app.hcl\n' +
        '  $ npx cdktf-vault-admin policy from-audit audit.log --cluster us \\\n      --against policies/\n',
    )
    .action(async (files: readonly string[], flags: FromAuditFlags) => {
      const { fromAudit } = await import('../audit/from-audit.js');
      process.exitCode = await fromAudit(files, flags, process.env);
    });
}

function atLeastTwo(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 2)
    throw new InvalidArgumentError('Expected: a whole number, at least 2.');
  return number;
}
