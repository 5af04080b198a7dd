import { Argument, Command } from 'commander';
import { EXIT, exitCodesHelp } from '../../exit-codes';
import type { RequestFlags } from '../answers/explain';
import { ASKED_OPERATIONS, type AskedOperation } from '../../../model/acl/reasoning/compared-operations';
import { duration, namedValue, withAgentLimits, withSources } from '../source-options';

/** Returns `cdktf-vault-admin policy can`: says whether policies allow a request. */
export function canCommand(): Command {
  return requestCommand(
    'can',
    'show whether ACL policies allow a request',
    'Show whether ACL policies allow a request, combined as if one token had them.',
    'can read secret/data/app policies/app.hcl',
  );
}

/** Returns `cdktf-vault-admin policy why`: says which rule decides on a request, and why. */
export function whyCommand(): Command {
  return requestCommand(
    'why',
    'explain how ACL policies decide on a request',
    'Explain how ACL policies, combined as if one token had them, decide on a request: the rule that ' +
      'decides, other matching rules, and the policies that allow it on their own.',
    'why list secret/metadata/app --cluster us \\\n      --role auth/approle/role/a',
  );
}

function requestCommand(name: 'can' | 'why', summary: string, description: string, example: string): Command {
  const command = new Command(name)
    .summary(summary)
    .description(description)
    .addArgument(new Argument('<OPERATION>', 'the operation of the request').choices(ASKED_OPERATIONS))
    .argument('<PATH>', 'the path of the request, with its namespace, without /v1/')
    .argument('[SOURCE...]', 'files, folders, or the output folder of an app');
  return withAgentLimits(withSources(command))
    .option('--data <NAME=VALUE>', 'a parameter of the request; may be repeated', namedValue)
    .option('--wrap-ttl <DURATION>', 'the wrapping TTL of the response, such as 5m', duration)
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      exitCodesHelp({
        [EXIT.ok]: 'the request is allowed',
        [EXIT.problems]: 'the request is denied',
        [EXIT.unknown]: 'the cluster did not answer, or policies are too complex to compare',
      }) + `\nExample:\n  $ npx cdktf-vault-admin policy ${example}\n`,
    )
    .action(
      async (operation: AskedOperation, path: string, sources: readonly string[], flags: RequestFlags) => {
        const { explain } = await import('../answers/explain.js');
        process.exitCode = await explain([name, operation, path, sources], flags, process.env);
      },
    );
}
