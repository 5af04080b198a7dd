import { ENFORCEMENT_LEVELS, isWideEgpPath } from '../../../src/model';
import { GuardedPolicyKind } from '../guarded-policy';
import type { IPolicyRule } from '../policy-rule';

const [ADVISORY] = ENFORCEMENT_LEVELS;

export const WIDE_EGPS_START_ADVISORY: IPolicyRule = {
  id: 'wide-egps-start-advisory',
  reason: 'A fault in an EGP on every request, on sys/ or on auth/ locks everybody out but root tokens',
  cure: `begin with the level "${ADVISORY}", look at what would be denied, then make it stricter and suppress the rule`,
  check: ({ kind, enforcementLevel, paths }) => {
    const wide = paths.filter(isWideEgpPath);
    if (kind !== GuardedPolicyKind.EGP || enforcementLevel === ADVISORY || wide.length === 0) return [];
    return [`is ${enforcementLevel} on ${wide.map((path) => JSON.stringify(path)).join(', ')}`];
  },
};
