/**
 * Searches for inputs that take more work than their length allows, in every command that reads
 * foreign texts and in the plan of the provider.
 *
 * @counts-work
 */
import { basename } from 'node:path';
import { paid, plant } from './support/planted';
import { climb, type Search } from './support/climb';
import { fileFor, runCommand } from './support/commands';
import { ACL, aclChange, AUDIT_LOG, auditLog, SENTINEL, sentinelPolicy } from './support/grammars';
import { planOfPolicy, take } from './support/provider-calls';

/**
 * The maximum work for a command that reads almost nothing, for each character, and for each step
 * that a budget has paid for.
 */
const MOST = { command: 30_000, character: 100, step: 10 } as const;

function allowedFor(characters: number, commands = 1) {
  return {
    characters,
    work: MOST.command * commands + MOST.character * characters + MOST.step * paid.steps,
  };
}

type Command = (parts: readonly string[]) => readonly string[];
type Files = (parts: readonly string[]) => Readonly<Record<string, string>>;

/** Declares the search for a command that reads files. */
function command(
  [args, files]: readonly [Command, Files],
  planted: Parameters<typeof plant>[0],
  grammar: Pick<Search, 'grammar' | 'start'>,
): void {
  const title = args(['', '', ''])
    .map((each) => basename(each))
    .join(' ');
  climb(title, {
    ...grammar,
    plant: () => plant(planted),
    run: async (text) => {
      const parts = partsOf(text);
      paid.steps = 0;
      await runCommand(args(parts), files(parts));
      return allowedFor(text.length);
    },
  });
}

/** Changes of ACL policies are JSON lists; other inputs are texts. */
function partsOf(text: string): readonly string[] {
  return text.startsWith('[') ? (JSON.parse(text) as readonly string[]) : [text];
}

const acl = { grammar: ACL, start: aclChange };
const [OLD, NEW, LOG, POLICY] = ['old.hcl', 'new.hcl', 'audit.log', 'it.sentinel'].map(fileFor) as [
  string,
  string,
  string,
  string,
];
const change: Files = ([before = '', after = '']) => ({ 'old.hcl': before, 'new.hcl': after });
const log: Files = ([text = '']) => ({ 'audit.log': text, 'new.hcl': NEW_POLICY });
const NEW_POLICY =
  'path "{{identity.entity.id}}/{{identity.entity.id}}/{{identity.entity.id}}/b" {\n  policy = "read"\n}\n';
const NOTHING_PAID = /parameter-values\.ts/;
const pathOf = (path = '') => path.replace(/^-/, '') || 'a';

command([() => ['policy', 'diff', OLD, NEW], change], NOTHING_PAID, acl);
command([() => ['policy', 'list', NEW], change], 'lines', acl);
command([([, , path]) => ['policy', 'can', 'update', pathOf(path), NEW], change], 'lines', acl);
command(
  [([, , path]) => ['policy', 'why', 'update', pathOf(path), NEW, '--data', `p=${path}`], change],
  'lines',
  acl,
);
command([() => ['policy', 'lint', NEW], change], 'lines', acl);
command([() => ['policy', 'upgrade', '--from', '1.15', '--to', '2.2', NEW], change], /upgrade\.ts/, acl);
command([() => ['policy', 'check', NEW], change], 'lines', acl);
command(
  [() => ['policy', 'from-audit', LOG, '--merge-from', '2', '--policies', NEW], log],
  'lines of a log',
  {
    grammar: AUDIT_LOG,
    start: auditLog,
  },
);

const sentinel = { grammar: SENTINEL, start: sentinelPolicy };
const REQUEST = fileFor('request.json');
const policy: Files = ([text = '']) => ({
  'it.sentinel': text,
  'request.json': '{"request": {"path": "secret/a", "operation": "update"}}',
});
command([() => ['policy', 'check', POLICY], policy], 'lines', sentinel);
command([() => ['policy', 'eval', POLICY, '--request', REQUEST], policy], 'lines', sentinel);
command([() => ['policy', 'fmt', '--check', POLICY], policy], 'lines', sentinel);

climb('the plan of a policy', {
  ...acl,
  plant: () => plant(NOTHING_PAID),
  run: async (text) => {
    const [before = '', after = ''] = partsOf(text);
    paid.steps = 0;
    await take(planOfPolicy(before, after), () => ({ status: 404, headers: {}, body: '{"errors":[]}' }));
    return allowedFor(text.length, 5);
  },
});
