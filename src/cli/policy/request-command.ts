import { Argument, Command, InvalidArgumentError } from 'commander';
import { EXIT, exitCodesHelp } from '../exit-codes';
import type { RequestFlags } from './answers/explain';
import { withSources } from './source-options';

type Operation = (typeof OPERATIONS)[number];

const OPERATIONS = ['create', 'read', 'update', 'patch', 'delete', 'list', 'recover'] as const;

/** `vault-admin policy can`: whether policies allow a request. */
export function canCommand(): Command {
  return requestCommand(
    'can',
    'tell whether ACL policies allow a request',
    'Tell whether ACL policies, taken together as one token has them, allow a request.',
    'can read secret/data/app policies/app.hcl',
  );
}

/** `vault-admin policy why`: which rule decides on a request, and why. */
export function whyCommand(): Command {
  return requestCommand(
    'why',
    'explain how ACL policies decide on a request',
    'Explain how ACL policies, taken together as one token has them, decide on a request: the rule that ' +
      'decides, the rules that match as well but do not, and the policies that allow it by themselves.',
    'why list secret/metadata/app --cluster us --role auth/approle/role/a',
  );
}

function requestCommand(name: 'can' | 'why', summary: string, description: string, example: string): Command {
  const command = new Command(name)
    .summary(summary)
    .description(description)
    .addArgument(new Argument('<OPERATION>', 'what the request does').choices(OPERATIONS))
    .argument('<PATH>', 'the path of the request, with its namespace, without /v1/')
    .argument('[SOURCE...]', 'files, folders, or the folder that an app was synthesized to');
  return withSources(command)
    .option('--data <NAME=VALUE...>', 'parameters of the request', parameter)
    .option('--wrap-ttl <DURATION>', 'have the response wrapped, such as 5m')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      exitCodesHelp({
        [EXIT.ok]: 'the request is allowed',
        [EXIT.problems]: 'the request is denied',
        [EXIT.unknown]: 'the cluster did not answer',
      }) + `\nExample:\n  $ vault-admin policy ${example}\n`,
    )
    .action(async (operation: Operation, path: string, sources: readonly string[], flags: RequestFlags) => {
      const { explain } = await import('./answers/explain.js');
      process.exitCode = await explain([name, operation, path, sources], flags, process.env);
    });
}

function parameter(
  text: string,
  others: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const end = text.indexOf('=');
  if (end < 1) throw new InvalidArgumentError('Expected is NAME=VALUE.');
  return { ...others, [text.slice(0, end)]: text.slice(end + 1) };
}
