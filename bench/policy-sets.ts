import { AclPolicySet, parseAclPolicy } from '../src/model';

export const RULES = 200;
export const TEAMS = 20;

export function policySet(variant: number): AclPolicySet {
  return new AclPolicySet([{ name: 'policy', policy: parseAclPolicy(rules(variant).join('\n')) }]);
}

/**
 * Returns rules like those of teams: their own folders, shared ones, denied parts, limited
 * parameters.
 */
export function rules(variant: number, count = RULES): readonly string[] {
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
