import { TerraformStack } from 'cdktf';
import type { IConstruct } from 'constructs';
// Only types are imported, so that the evaluator is loaded with the first policy that needs it.
import type * as Enforcement from '../../../src/enforcement';
import { namespacePrefix, policyText, type EnforcementLevel } from '../../../src/model';
import { accessFor, RESOURCE_CALLS } from '../../../src/model/access';
import type { Phrase } from '../../../src/model/messages';
import { locksTerraformOut } from '../../private/messages';
import { asTerraformReads, isUnknown } from '../../private/known';
import { declaredPolicies } from './declared-policies';

/** An EGP as a construct declares it. */
interface DeclaredEgp {
  readonly name: string;
  readonly namespace: string;
  readonly policy: string;
  readonly enforcementLevel: string;
  readonly paths: readonly string[];
}

interface Request {
  readonly operation: string;
  readonly path: string;
  readonly namespace: string;
}

/** The requests of the provider hashicorp/vault for a token of its own. */
const OWN_TOKEN: readonly (readonly [string, string])[] = [
  ['read', 'auth/token/lookup-self'],
  ['update', 'auth/token/create'],
  ['update', 'auth/token/revoke-self'],
];

/**
 * The imports whose values are known only when a request is made. A policy that reads one of them
 * is not judged here.
 */
const KNOWN_LATER = ['token', 'identity', 'time', 'http', 'mfa', 'controlgroup', 'replication'];
const KNOWN_LATER_OF_REQUESTS = /\b(remote_addr|data|policy_override)\b/;

/**
 * Determines whether a hard-mandatory EGP refuses Terraform's own requests, as far as this is known
 * at synthesis.
 *
 * @returns the problems of the policy.
 */
export function lockOutProblems(construct: IConstruct, egp: DeclaredEgp): readonly Phrase[] {
  const level: EnforcementLevel = 'hard-mandatory';
  if (egp.enforcementLevel !== level || Object.values(egp).some(isUnknown)) return [];
  const namespace = namespacePrefix(egp.namespace);
  const requests = requestsOf(construct);
  const { compilePolicy, decide, egpGoverns, SentinelLimitError } = loadEnforcement();
  const policy = compilePolicy({
    kind: 'egp',
    name: egp.name,
    namespace,
    level,
    paths: egp.paths,
    text: policyText(String(asTerraformReads(egp.policy))),
  });
  if (!('reads' in policy.program) || KNOWN_LATER_OF_REQUESTS.test(policy.text)) return [];
  const { reads } = policy.program;
  if (KNOWN_LATER.some((name) => reads.has(name))) return [];
  const refused: Request[] = [];
  for (const request of requests) {
    const { path, operation, namespace: at } = request;
    const facts = { path, operation, namespace: { id: '', path: at } };
    if (!egpGoverns({ namespace, paths: egp.paths }, facts)) continue;
    const { allowed, denials } = decide(
      [policy],
      { ...facts, remoteAddress: '', replication: { performance: '', dr: '' } },
      { now: 0n },
    );
    if (!allowed) refused.push(request);
    // Each of the other requests would take too long as well.
    if (denials.some(({ error }) => error instanceof SentinelLimitError)) break;
  }
  return refused.length === 0
    ? []
    : [
        locksTerraformOut(
          egp.name,
          refused.map(({ operation, path }) => `${operation} ${path}`),
        ),
      ];
}

/**
 * Returns Terraform's requests for the policies of the stack on the same cluster, and for its
 * token.
 */
function requestsOf(construct: IConstruct): readonly Request[] {
  const [own] = declaredPolicies(construct);
  const policies = declaredPolicies(TerraformStack.of(construct)).filter(
    ({ cluster }) => cluster === own?.cluster,
  );
  const ofPolicies = policies.flatMap(({ kind, arguments: given }) => {
    const known = isUnknown(given.name) ? {} : { name: given.name };
    const calls = RESOURCE_CALLS[`${kind}_policy`] ?? [];
    const namespace = namespacePrefix(typeof given.namespace === 'string' ? given.namespace : '');
    return accessFor(calls, known).flatMap(({ path, capabilities }) =>
      capabilities.map((operation) => ({ operation, path, namespace })),
    );
  });
  return [...OWN_TOKEN.map(([operation, path]) => ({ operation, path, namespace: '' })), ...ofPolicies];
}

function loadEnforcement(): typeof Enforcement {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  return require('../../../src/enforcement') as typeof Enforcement;
}
