import { visible } from '../../../text';
import { counted, limited, omittedText } from '../../output/lists';
import type { PolicyResult } from '../../../sentinel/testing';
import type { AclFileResult } from './run-tests';

/** A rule of a policy that was tested, or should be. */
export interface CoveredRule {
  /** The file or the resource, with the line if there is one. */
  readonly place: string;
  readonly rule: string;
  readonly isTested: boolean;
}

/**
 * Returns the rules of the policies in tests. A rule of an ACL policy is tested if it decides on a
 * request of a test; a rule of a Sentinel policy, if a test evaluates it.
 */
export function coverageOf(
  acl: readonly AclFileResult[],
  sentinel: readonly PolicyResult[],
): readonly CoveredRule[] {
  return [...aclRules(acl), ...sentinel.flatMap(sentinelRules)];
}

function aclRules(results: readonly AclFileResult[]): readonly CoveredRule[] {
  const rules = new Map<string, CoveredRule>();
  for (const { policies, tokens } of results) {
    const deciding = new Set(
      tokens.flatMap(({ checks }) =>
        checks.flatMap(({ explanation }) => explanation?.rule?.origins.map(({ rule }) => rule) ?? []),
      ),
    );
    for (const { policy, source, positions } of policies) {
      for (const [index, rule] of policy.rules.entries()) {
        const line = positions[index]?.line;
        const place = line === undefined ? source.place : `${source.place}:${line}`;
        const key = JSON.stringify([source.place, source.namespace, source.name, index]);
        const isTested = deciding.has(rule) || (rules.get(key)?.isTested ?? false);
        rules.set(key, { place, rule: `path ${JSON.stringify(rule.path)}`, isTested });
      }
    }
  }
  return [...rules.values()];
}

function sentinelRules({ path, file, cases }: PolicyResult): readonly CoveredRule[] {
  const evaluated = new Set(cases.flatMap(({ outcome }) => outcome?.rules.map(({ name }) => name) ?? []));
  if (!file) return [];
  return file.statements.flatMap((statement) => {
    if (statement.kind !== 'assignment' || statement.value.kind !== 'rule') return [];
    if (statement.target.kind !== 'identifier') return [];
    const { name } = statement.target;
    const place = `${path}:${file.source.line(statement.start)}`;
    return [{ place, rule: `rule ${name}`, isTested: evaluated.has(name) }];
  });
}

/** Whether the tested rules are less than the required percentage. */
export function isTooLow(rules: readonly CoveredRule[], least = 0): boolean {
  return percentOf(rules) < least;
}

/** Returns lines that name the untested rules, and say how many rules are tested. */
export function coverageLines(rules: readonly CoveredRule[], least: number | undefined): readonly string[] {
  const open = rules.filter(({ isTested }) => !isTested);
  const { shown, omitted } = limited(open);
  const demanded = least === undefined ? '' : `, at least ${least} % demanded`;
  const tested = `${rules.length - open.length} of ${counted(rules.length, 'rule')} tested`;
  return [
    ...shown.map(({ place, rule }) => visible(`not tested: ${place}: ${rule}`)),
    ...omittedText(omitted),
    `${tested} (${percentOf(rules)} %${demanded})`,
  ];
}

/** Returns the percentage of tested rules; 100 without any rule. */
function percentOf(rules: readonly CoveredRule[]): number {
  if (rules.length === 0) return 100;
  return Math.floor((100 * rules.filter(({ isTested }) => isTested).length) / rules.length);
}
