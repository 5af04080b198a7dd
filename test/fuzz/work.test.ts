/** Inputs whose examination takes the most work for their length. */
import { policyChange } from '../../src/model/policies/policy-change';
import {
  AclPolicyError,
  AclPolicySet,
  deadRules,
  diffPolicySets,
  Effort,
  explainRequest,
  findPermitted,
  groupChanges,
  lintAclPolicy,
  parseAclPolicy,
  permittedBy,
  readAuditLine,
  sensitiveChanges,
  shadowedDenies,
  TooComplexError,
  upgradeImpacts,
  Uses,
  writePolicyFor,
} from '../../src/model';
import { VAULT_ENVIRONMENT } from '../../src/model/sentinel';
import { check, evaluate, format, fromHost, parse, SentinelError } from '../../src/sentinel';
import { climb } from './support/climb';
import { ACL, aclChange, AUDIT_LOG, auditLog, SENTINEL, sentinelPolicy } from './support/grammars';

interface Change {
  readonly before: string;
  readonly after: string;
  readonly path: string;
}

type Examine = (change: Change) => unknown;

/** Runs an examination that may refuse its input. */
function examined(examine: () => unknown): void {
  paid = 0;
  try {
    examine();
  } catch (error) {
    if (error instanceof AclPolicyError || error instanceof TooComplexError || error instanceof SentinelError)
      return;
    throw error;
  }
}

const setOf = (text: string) => new AclPolicySet([{ name: 'it', policy: parseAclPolicy(text) }]);

/** The blocks of code that one step of an examination stands for, at most. */
const BLOCKS_PER_STEP = 20;

/** The steps that examinations paid for since it was set. */
let paid = 0;
/** The file whose steps are not paid for. */
let free: RegExp | undefined;

/** Returns the line of a stack for the code that pays. */
function callerOfSpend(): string {
  return new Error().stack!.split('\n').slice(2, 8).join('\n');
}

beforeAll(() => {
  const spend = Object.getOwnPropertyDescriptor(Effort.prototype, 'spend')!.value as Effort['spend'];
  jest.spyOn(Effort.prototype, 'spend').mockImplementation(function (this: Effort, steps) {
    if (free?.test(callerOfSpend())) return;
    if (this.left !== Infinity) paid += steps;
    spend.call(this, steps);
  });
});

/** Reading a text may take work in proportion to its length; more has to be paid for. */
function mostFor(characters: number): number {
  return 30_000 + 150 * characters + BLOCKS_PER_STEP * paid;
}

function acl(title: string, subject: Examine, planted: Examine): void {
  climb<Examine>(title, {
    grammar: ACL,
    start: aclChange,
    subject,
    planted: (change) => [subject(change), planted(change)],
    run: (examine, text) => {
      const [before = '', after = '', path = ''] = JSON.parse(text) as string[];
      examined(() => examine({ before, after, path }));
    },
    most: mostFor,
  });
}

/** The real comparison, without the payments of its search for values that globs match: it once searched without them. */
const searchWithoutPaying: Examine = (change) => {
  free = /parameter-values\.ts/;
  try {
    return compare(change);
  } finally {
    free = undefined;
  }
};

/** Tries every length of every template at every place, as an expression does that joins them with `.+`. */
const backtrack: Examine = ({ after, path }) => {
  for (const rule of parseAclPolicy(after).rules) {
    const at = rule.path.indexOf('{{');
    if (at >= 0) [...path].forEach((_, start) => fits(rule.path.slice(at), path.slice(start)));
  }
};

function fits(rule: string, path: string): boolean {
  if (rule === '' || path === '') return rule === path;
  const template = /^\{\{[^}]*\}\}/.exec(rule)?.[0];
  if (template === undefined) return rule.charAt(0) === path.charAt(0) && fits(rule.slice(1), path.slice(1));
  for (let length = path.length; length > 0; length--) {
    if (fits(rule.slice(template.length), path.slice(length))) return true;
  }
  return false;
}

/** Looks for a place, for each character, in the whole text before it. */
const compareAll: Examine = ({ before, after }) => {
  const characters = [...before, ...after];
  return characters.map(
    (_, index) => characters.filter((character, at) => at < index && character === '\n').length,
  );
};

function compare({ before, after }: Change): unknown {
  const [old, now] = [setOf(before), setOf(after)];
  const changes = diffPolicySets(old, now);
  return [groupChanges(changes), sensitiveChanges(changes, old, now)];
}

acl('policy diff', compare, searchWithoutPaying);
acl('the comparison in a plan', ({ before, after }) => policyChange(before, after), compareAll);
acl('policy lint', ({ after }) => lintAclPolicy(after), compareAll);
acl(
  'policy list, can and why',
  ({ after, path }) => {
    const set = setOf(after);
    const request = { operation: 'update', path, data: { p: path } } as const;
    return [permittedBy(set), findPermitted(set, 'update', path), explainRequest(set, request)];
  },
  backtrack,
);
acl(
  'policy upgrade, and rules that never matter',
  ({ after }) => {
    const set = setOf(after);
    const policies = [{ name: 'it', policy: parseAclPolicy(after) }];
    return [deadRules(set), shadowedDenies(set), upgradeImpacts(policies, '1.15.0', '2.2.0')];
  },
  compareAll,
);

type Log = (text: string) => unknown;

climb<Log>('policy from-audit', {
  grammar: AUDIT_LOG,
  start: auditLog,
  subject: writeFor,
  planted: (text) => [writeFor(text), text.split('').filter((_, index) => text.split('/').at(index) === '')],
  run: (write, text) => examined(() => write(text)),
  most: mostFor,
});

function writeFor(text: string): unknown {
  const uses = new Uses();
  for (const line of text.split('\n')) {
    const read = readAuditLine(line);
    if (typeof read === 'object') uses.add(read);
  }
  return writePolicyFor(uses.list(), [], { mergeFrom: 2 });
}

climb<Log>('policy check, format and test', {
  grammar: SENTINEL,
  start: sentinelPolicy,
  subject: testPolicy,
  // Looks for each line from the beginning.
  planted: (text) => [testPolicy(text), [...text].map((_, index) => text.slice(0, index).split('\n').length)],
  run: (read, text) => examined(() => read(text)),
  most: mostFor,
});

function testPolicy(text: string): unknown {
  const globals = new Map([['request', fromHost({ path: 'secret/a', operation: 'update' })]]);
  return [
    check(text, 'it', VAULT_ENVIRONMENT),
    format(text, 'it'),
    evaluate(parse(text, 'it'), { globals, now: 0n }),
  ];
}
