import { Command, InvalidArgumentError } from 'commander';
import { EXIT, exitCodesHelp } from '../exit-codes';
import type { FromAuditFlags } from './audit/from-audit';
import { SERVER_VERSION } from './source-options';

/** `cdktf-vault-admin policy from-audit`: what audit logs tell about policies. */
export function fromAuditCommand(): Command {
  return new Command('from-audit')
    .summary('write an ACL policy for what audit logs tell, or try policies on it')
    .description(
      'Read audit logs in JSON, and write the ACL policy that allows what was done, and nothing else. With ' +
        "today's policies or new ones, decide again on every request, and list what they decide otherwise.",
    )
    .argument('<FILE...>', 'audit logs; *.gz is unpacked, "-" is the standard input')
    .option('--entity <ID>', 'only requests of an entity (with --cluster, also by its name)')
    .option('--role <NAME>', 'only requests of tokens that a login with this role gave')
    .option(
      '--accessor <ACCESSOR>',
      'only requests of a token, as it is logged (with --cluster, also in clear)',
    )
    .option('--policies <SOURCE...>', "today's policies: files, folders, or folders of stacks")
    .option('--cluster <NAME>', "take today's policies from a running cluster")
    .option('--against <SOURCE...>', "new policies, which take the place of today's with the same names")
    .option(
      '--pattern <PATTERN...>',
      'write one rule for all requests within a pattern, such as "secret/data/app/*"',
    )
    .option(
      '--merge-from <NUMBER>',
      'write one rule with "+" for so many paths that differ in one segment (default: never)',
      atLeastTwo,
    )
    .option('--parameters', 'allow only the parameters that were sent (default: any)')
    .option('--output <FILE>', 'write the policy to a file, and print a report')
    .option(...SERVER_VERSION)
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      exitCodesHelp({
        [EXIT.ok]: 'the logs were read',
        [EXIT.problems]: 'the new policies would refuse a request that was let through',
        [EXIT.unknown]: 'the cluster did not answer',
      }) +
        '\nExamples:\n  $ npx cdktf-vault-admin policy from-audit audit.log --role app > app.hcl\n' +
        '  $ npx cdktf-vault-admin policy from-audit audit.log --cluster us --against policies/\n',
    )
    .action(async (files: readonly string[], flags: FromAuditFlags) => {
      const { fromAudit } = await import('./audit/from-audit.js');
      process.exitCode = await fromAudit(files, flags, process.env);
    });
}

function atLeastTwo(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 2)
    throw new InvalidArgumentError('Expected is a number from 2 on.');
  return number;
}
