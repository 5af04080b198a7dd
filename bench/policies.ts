import { Acl, AclPolicySet, diffPolicySets, lintAclPolicy, parseAclPolicy } from '../src/model';
import { race } from './measure';

const RULES = 200;
const TEAMS = 20;
const POLICIES = 2_000;
const DECISIONS = 100_000;

/** What questions to ACL policies take, and what they may take. */
export interface PolicyTime {
  readonly what: string;
  readonly took: number;
  readonly limit: number;
  readonly unit: 'ms' | 'µs';
}

/** Times what people wait for when they ask policies. */
export async function timePolicies(rounds: number): Promise<readonly PolicyTime[]> {
  const [before, after] = [policySet(0), policySet(1)];
  const texts = Array.from({ length: POLICIES }, (_, index) => rules(index % 7, 6).join('\n'));
  const acl = new Acl([parseAclPolicy(rules(0).join('\n'))]);
  const medians = await race(rounds, [
    { name: 'diff', run: inOneGo(() => diffPolicySets(before, after)) },
    { name: 'lint', run: inOneGo(() => texts.forEach((text) => lintAclPolicy(text))) },
    { name: 'decisions', run: inOneGo(() => decide(acl)) },
  ]);
  return [
    { what: `diff of two sets of ${RULES} rules`, took: medians.diff ?? NaN, limit: 100, unit: 'ms' },
    { what: `lint of ${POLICIES} policies`, took: medians.lint ?? NaN, limit: 5_000, unit: 'ms' },
    { what: 'a decision', took: ((medians.decisions ?? NaN) / DECISIONS) * 1_000, limit: 5, unit: 'µs' },
  ];
}

function inOneGo(work: () => unknown): () => Promise<void> {
  return () => Promise.resolve(void work());
}

function decide(acl: Acl): void {
  for (let index = 0; index < DECISIONS; index++) {
    acl.allow({ operation: 'read', path: `secret/data/team-${index % TEAMS}/app-${index % 10}/config` });
  }
}

function policySet(variant: number): AclPolicySet {
  return new AclPolicySet([{ name: 'policy', policy: parseAclPolicy(rules(variant).join('\n')) }]);
}

/** Rules as teams have them: their own folders, what they share, denied parts, limited parameters. */
function rules(variant: number, count = RULES): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    const capabilities = [
      'read',
      ...(index % 3 === variant % 3 ? ['update'] : []),
      ...(index % 7 === variant ? ['delete', 'list'] : []),
    ];
    const granted = JSON.stringify(index % 29 === 28 ? ['deny'] : capabilities);
    const parameters = index % 11 === variant ? '\n  allowed_parameters = { "name" = ["x*"] }' : '';
    return `path "${pathOf(index)}" {\n  capabilities = ${granted}${parameters}\n}`;
  });
}

function pathOf(index: number): string {
  const team = `team-${index % TEAMS}`;
  const kinds = [
    `secret/data/${team}/*`,
    `secret/metadata/${team}/*`,
    `secret/data/${team}/app-${index}/config`,
    `secret/data/+/shared-${index}`,
    `kv/${team}/+/prod/*`,
    `transit/encrypt/${team}-*`,
    `auth/approle/role/${team}/*`,
    `secret/data/${team}/prod*`,
    `pki/issue/${team}`,
    `database/creds/${team}-${index}`,
  ];
  return kinds[Math.floor(index / TEAMS) % kinds.length] ?? team;
}
