import type { AclRule } from '../policy';
import { nearestOf } from '../../../text';
import { namesPolicies } from '../parameters';
import type { LintedRule, LintProblem } from './check';
import { parametersUsedAt } from './known-endpoints';
import { isKv2Data } from './mounts';

/** The operations whose parameters are compared with those of a rule. */
const WITH_PARAMETERS = ['create', 'read', 'update', 'patch'] as const;
/** The most letters in which a misspelt name differs from the right one. */
const FEW_LETTERS = 2;
/** The parameters of the requests that write or read a secret of KV version 2. */
const KV2_PARAMETERS = ['data', 'options', 'version'];
const OTHERS = '*';

/** Reports names of parameters that the requests for a path do not have. */
export function unknownParameter({
  rule,
  capabilities,
  mounts,
  effort,
}: LintedRule): LintProblem | undefined {
  const names = [...namesOf(rule)].filter((name) => !/[*]|[$%]\{|\{\{/.test(name));
  if (names.length === 0 || capabilities.has('deny')) return undefined;
  if (isKv2Data(rule.path, mounts)) return undefined;
  const known = parametersUsedAt(rule.path, mounts, effort);
  if (!known) return undefined;
  const unknown = names.filter((name) => !known.includes(name));
  const [first] = unknown;
  if (first === undefined) return undefined;
  effort.spend(first.length * known.length);
  const meant = nearestOf(first, known, FEW_LETTERS);
  return {
    severity: meant === undefined ? 'note' : 'warning',
    problem: `the description of the API has no ${parametersText(unknown)} for the path`,
    cure:
      meant === undefined
        ? 'write parameters of the endpoint, or make sure that the server knows them'
        : `write ${JSON.stringify(meant)}`,
  };
}

/**
 * Reports parameters of a secret beside `data`: in requests of KV version 2, they are within
 * `data`.
 */
export function flatParameter({ rule, capabilities, mounts }: LintedRule): LintProblem | undefined {
  if (capabilities.has('deny') || !isKv2Data(rule.path, mounts)) return undefined;
  const writes = ['create', 'update', 'patch'] as const;
  const required = rule.requiredParameters?.find((name) => name !== 'version');
  if (required !== undefined && capabilities.has('read') && !writes.some((each) => capabilities.has(each))) {
    return {
      problem: `a request that reads a secret has no parameter ${JSON.stringify(required)}, so that all are refused`,
      cure: 'remove the required parameters, or grant the capability to write',
    };
  }
  const names = [...namesOf(rule)].filter((name) => name !== OTHERS && !KV2_PARAMETERS.includes(name));
  if (names.length === 0) return undefined;
  return {
    problem: `a request that writes a secret of KV version 2 has the parameters "data" and "options", but no ${parametersText(names)}`,
    cure: 'constrain "data" as a whole: the server does not compare what is in it by name',
  };
}

/** Reports a name with a `*`, which stands for other parameters only if it is the whole name. */
export function literalParameter({ rule, capabilities }: LintedRule): LintProblem | undefined {
  if (capabilities.has('deny')) return undefined;
  const required = rule.requiredParameters ?? [];
  const found = [...namesOf(rule)].find((name) => name.includes('*') && name !== OTHERS);
  const literal = found ?? required.find((name) => name === OTHERS);
  if (literal === undefined) return undefined;
  return {
    problem: `the "*" in the parameter name ${JSON.stringify(literal)} is literal`,
    cure: required.includes(literal)
      ? 'write the names of the required parameters'
      : 'write each name, or "*" alone for all other parameters',
  };
}

/** Reports values that never equal a value of a request in the server's comparison. */
export function unequalValue({ rule, capabilities }: LintedRule): LintProblem | undefined {
  if (capabilities.has('deny')) return undefined;
  for (const constraints of [rule.allowedParameters, rule.deniedParameters]) {
    for (const [name, values] of Object.entries(constraints ?? {})) {
      const number = values.find((value) => typeof value === 'number');
      const upper = namesPolicies(name) ? values.find(hasUpperCase) : undefined;
      if (number === undefined && upper !== undefined) {
        return {
          severity: 'warning',
          problem: `servers from 2.1.2 on compare the parameter ${JSON.stringify(name)} in lower case, so that ${JSON.stringify(upper)} equals that of no request`,
          cure: 'write names of policies in lower case, here and in requests',
        };
      }
      if (number === undefined) continue;
      return {
        problem: `the number ${String(number)} of the parameter ${JSON.stringify(name)} equals that of no request: the server compares it with an unparsed one`,
        cure: `write ${JSON.stringify(String(number))}, which a request has to send as a text`,
      };
    }
  }
  return undefined;
}

/** Reports required names in upper case: the server looks for them in lower case. */
export function requiredUpperCase({ rule, capabilities }: LintedRule): LintProblem | undefined {
  const name = rule.requiredParameters?.find(hasUpperCase);
  if (name === undefined || capabilities.has('deny')) return undefined;
  return {
    problem: `the server looks for the required parameter ${JSON.stringify(name)} in lower case only`,
    cure: `write ${JSON.stringify(name.toLowerCase())}, and send it like this`,
  };
}

/** Reports constraints on parameters if they apply to no request of the rule's capabilities. */
export function unusedConstraints({ rule, capabilities }: LintedRule): LintProblem | undefined {
  if (capabilities.has('deny') || capabilities.size === 0 || namesOf(rule).size === 0) return undefined;
  if (WITH_PARAMETERS.some((capability) => capabilities.has(capability))) return undefined;
  const granted = [...capabilities].map((each) => JSON.stringify(each)).join(', ');
  return {
    problem: `constraints on parameters do not apply to ${granted}`,
    cure: 'remove the constraints, or grant the intended capability',
  };
}

function hasUpperCase(value: unknown): boolean {
  return typeof value === 'string' && value !== value.toLowerCase();
}

function namesOf({
  allowedParameters = {},
  deniedParameters = {},
  requiredParameters = [],
}: AclRule): ReadonlySet<string> {
  const required = requiredParameters.map((name) => name.toLowerCase());
  return new Set([...Object.keys(allowedParameters), ...Object.keys(deniedParameters), ...required]);
}

function parametersText(names: readonly string[]): string {
  return `${names.length === 1 ? 'parameter' : 'parameters'} ${names.map((name) => JSON.stringify(name)).join(', ')}`;
}
