import { AclPolicySet, parseAclPolicy } from '../../src/model';
import { Effort } from '../../src/model/acl/effort';
import {
  deadRules,
  diffPolicySets,
  explainRequest,
  findPermitted,
  permittedBy,
  sensitiveChanges,
  shadowedDenies,
} from '../../src/model/acl/reasoning';
import { mayBeFilledAs } from '../../src/model/acl/template-paths';
import { countedWork } from '../support/counted-work';
import type { Bound } from './rows';

const LIMIT = 1e9;

function steps(examine: (effort: Effort) => unknown): number {
  const effort = new Effort(LIMIT);
  examine(effort);
  return LIMIT - effort.left;
}

function setOf(size: number, rule: (index: number) => string): AclPolicySet {
  const text = Array.from({ length: size }, (_, index) => rule(index)).join('');
  return new AclPolicySet([{ name: 'it', policy: parseAclPolicy(text) }]);
}

const rule = (path: string, capability: string) => `path "${path}" { capabilities = ["${capability}"] }\n`;
const beside = (capability: string) => (index: number) => rule(`kv/data/team-${index}/*`, capability);
const segments = (capability: string) => (index: number) => rule(`kv/+/team-${index}/*`, capability);
const crossing = (capability: string) => (index: number) =>
  rule(index % 2 === 0 ? `+/x${index}` : `y${index}/+`, capability);

function parameters(size: number, more: string): AclPolicySet {
  const globs = Array.from({ length: size }, (_, index) => `"*x${index}*"`).join(', ');
  return new AclPolicySet([
    {
      name: 'it',
      policy: parseAclPolicy(
        `path "a" { capabilities = ["update"]\n allowed_parameters = { p = [${more}, ${globs}] } }`,
      ),
    },
  ]);
}

/**
 * Returns rules, each with a control group of its own. The texts of the groups are long and only
 * differ at the end, which makes comparisons expensive.
 */
const checked = (group: string) => (index: number) => {
  const groups = Array.from({ length: 100 }, (_, at) => `"${group}${at}"`).join(', ');
  const factor = `factor "f" { identity { group_names = [${groups}, "${index}"]\n approvals = 1 } }`;
  return `path "kv/+/team-${index}/*" { capabilities = ["read"]\n control_group = { ${factor} } }\n`;
};

const PAYS = 'rules that cross have paths in common with each other; it pays from the budget of decision 52';
const LONG_PATH = 'a path is compared with every character of a rule; it pays from the budget of decision 52';

export const ACL_BOUNDS: readonly Bound[] = [
  {
    name: 'diffPolicySets, of rules beside one another',
    source: 'policy',
    sizes: [32, 512],
    growth: 1,
    work: (size) =>
      steps((effort) => diffPolicySets(setOf(size, beside('read')), setOf(size, beside('list')), effort)),
  },
  {
    name: 'diffPolicySets, of rules with "+" beside one another',
    source: 'policy',
    sizes: [32, 512],
    growth: 1,
    work: (size) =>
      steps((effort) => diffPolicySets(setOf(size, segments('read')), setOf(size, segments('list')), effort)),
  },
  {
    name: 'diffPolicySets, of globs in a parameter',
    source: 'policy',
    sizes: [16, 256],
    growth: 1,
    work: (size) =>
      steps((effort) => diffPolicySets(parameters(size, '"y"'), parameters(size, '"y*"'), effort)),
  },
  {
    name: 'diffPolicySets, of rules that cross',
    source: 'policy',
    sizes: [8, 64],
    growth: 2,
    reason: PAYS,
    size: 'steps of an examination',
    work: (size) =>
      steps((effort) => diffPolicySets(setOf(size, crossing('read')), setOf(size, crossing('list')), effort)),
  },
  {
    name: 'diffPolicySets, of rules with long checks',
    source: 'policy',
    sizes: [16, 64],
    growth: 1,
    work: (size) => {
      const [before, after] = [setOf(size, checked('g')), setOf(size, checked('h'))];
      return countedWork(() => diffPolicySets(before, after));
    },
  },
  {
    name: 'sensitiveChanges',
    source: 'policy',
    sizes: [32, 512],
    growth: 1,
    work: (size) => {
      const [before, after] = [setOf(size, beside('deny')), setOf(size, beside('update'))];
      const changes = diffPolicySets(before, after);
      return steps((effort) => sensitiveChanges(changes, before, after, [], effort));
    },
  },
  {
    name: 'permittedBy',
    source: 'policy',
    sizes: [32, 512],
    growth: 1,
    work: (size) => steps((effort) => permittedBy(setOf(size, segments('read')), '', effort)),
  },
  {
    name: 'deadRules',
    source: 'policy',
    sizes: [32, 512],
    growth: 1,
    work: (size) => steps((effort) => deadRules(setOf(size, segments('read')), effort)),
  },
  {
    name: 'shadowedDenies',
    source: 'policy',
    sizes: [32, 512],
    growth: 1,
    work: (size) => steps((effort) => shadowedDenies(setOf(size, segments('deny')), effort)),
  },
  {
    name: 'findPermitted',
    source: 'policy',
    sizes: [32, 512],
    growth: 1,
    work: (size) => steps((effort) => findPermitted(setOf(size, segments('read')), 'patch', '*', effort)),
  },
  {
    name: 'explainRequest, of many rules',
    source: 'policy',
    sizes: [32, 512],
    growth: 1,
    work: (size) =>
      steps((effort) =>
        explainRequest(setOf(size, segments('read')), { operation: 'read', path: 'kv/a/team-7/b' }, effort),
      ),
  },
  {
    name: 'explainRequest, of a long path',
    source: 'request',
    sizes: [64, 8_192],
    growth: 1,
    work: (size) =>
      steps((effort) =>
        explainRequest(setOf(9, segments('read')), { operation: 'read', path: 'a/'.repeat(size) }, effort),
      ),
  },
  {
    name: 'mayBeFilledAs',
    source: 'audit log',
    sizes: [16, 512],
    growth: 2,
    reason: LONG_PATH,
    size: 'steps of an examination',
    work: (size) => steps((effort) => mayBeFilledAs('{{x}}a'.repeat(size), 'a'.repeat(2 * size), effort)),
  },
];
