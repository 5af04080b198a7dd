import { Command } from 'commander';
import { EXIT, exitCodesHelp } from '../exit-codes';
import { checkCommand } from './commands/check-command';
import { diffCommand } from './commands/diff-command';
import { evaluateCommand } from './commands/eval-command';
import { formatCommand } from './commands/fmt-command';
import { fromAuditCommand } from './commands/from-audit-command';
import { languageServerCommand } from './commands/language-server-command';
import { lintCommand } from './commands/lint-command';
import { listCommand } from './commands/list-command';
import { canCommand, whyCommand } from './commands/request-command';
import { testCommand } from './commands/test-command';
import { upgradeCommand } from './commands/upgrade-command';

/** Returns `cdktf-vault-admin policy`: the commands about policies, which need no server. */
export function policyCommand(): Command {
  return new Command('policy')
    .summary('check, test and format policies, and show what they allow')
    .description(
      'Check and format policies, test and evaluate Sentinel policies, and show what ACL policies allow: in ' +
        'files, in the stacks of an app, or on a running cluster.',
    )
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .addHelpText(
      'after',
      exitCodesHelp({
        [EXIT.ok]: 'the policies are valid, or allow the request',
        [EXIT.problems]: 'a policy is not valid, or the request is denied',
        [EXIT.unknown]: 'the result could not be determined: a cluster did not answer',
      }),
    )
    .addCommand(checkCommand())
    .addCommand(testCommand())
    .addCommand(evaluateCommand())
    .addCommand(formatCommand())
    .addCommand(canCommand())
    .addCommand(whyCommand())
    .addCommand(listCommand())
    .addCommand(diffCommand())
    .addCommand(lintCommand())
    .addCommand(upgradeCommand())
    .addCommand(fromAuditCommand())
    .addCommand(languageServerCommand());
}
