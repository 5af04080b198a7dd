import { renderText } from '../model/messages';
import type { AclPolicyError } from '../model';
import { OLDEST_WITH_SENTINEL } from '../model/sentinel';
import type { SentinelError } from '../sentinel';
import { ACL_EXTENSIONS } from './acl-files';
import { EXPECTED_DETAILS } from './authorization-details';
import { PolicySourceError } from './errors';

export function notFound(path: string): Error {
  return new PolicySourceError({
    summary: `${path} was not found`,
    cures: 'name a file or a folder of policies',
  });
}

export function holdsNoPolicy(place: string): Error {
  return new PolicySourceError(
    `${place} contains no ACL policy\n` +
      `Expected: a construct with ACL policies, or a folder with files that end in ${ACL_EXTENSIONS.join(', ')}.`,
  );
}

export function doesNotParse(place: string, { message, line, column }: AclPolicyError): string {
  const at = line === undefined ? place : `${place}:${line}:${column ?? 1}`;
  return `${at}: the policy cannot be parsed: ${message.trim()}`;
}

export function onlyTerraformKnows(place: string, argument: string, unknown: readonly string[]): Error {
  return new PolicySourceError({
    summary: `${place}: "${argument}" contains values that only Terraform knows: ${[...new Set(unknown)].join(', ')}`,
    cures: "give a value for what it refers to, as in { values: { 'var.team': 'red' } }",
  });
}

export function notDetails(problem: string): Error {
  return new PolicySourceError(
    `authorizationDetails is not the claim authorization_details: ${problem}\n${EXPECTED_DETAILS}`,
  );
}

export function unknownServerVersion(received: string): Error {
  return new PolicySourceError(
    `serverVersion ${JSON.stringify(received)} is not a known version of Vault\n` +
      `Expected: ${OLDEST_WITH_SENTINEL} or later, such as 1.16.`,
  );
}

export function noPolicyNamed(name: string, known: readonly string[]): Error {
  return new PolicySourceError(
    `policy ${JSON.stringify(name)} not found\nAvailable: ${known.join(', ') || 'none'}.`,
  );
}

export function noPolicyOn(cluster: string, known: readonly string[]): Error {
  return new PolicySourceError(
    `no policy is written to cluster ${JSON.stringify(cluster)}\nClusters with policies: ${known.join(', ') || 'none'}.`,
  );
}

export function differsByPlace(name: string, places: readonly string[]): Error {
  return new PolicySourceError({
    summary: `policy ${JSON.stringify(name)} exists more than once, with different texts: ${places.join(', ')}`,
    cures: 'choose a cluster, with on("us"), or create the set from one stack',
  });
}

export function notAPolicySet(matcher: string, received: unknown): Error {
  return new TypeError(
    `${matcher}: expected is a PolicySet, such as PolicySet.of(app); received ${received === null ? 'null' : typeof received}`,
  );
}

export function noGlobalExpect(entry: string): Error {
  return new Error(
    renderText({
      summary: `${entry}: there is no global "expect"`,
      cures:
        "import it in a Jest test, or call expect.extend(POLICY_MATCHERS), with POLICY_MATCHERS from 'cdktf-vault-admin/policy'",
    }),
  );
}

export function policyDoesNotParse(error: SentinelError): Error {
  return new PolicySourceError(`the policy cannot be parsed: ${error.describe()}`);
}

export function notOneSentinelPolicy(place: string, count: number): Error {
  return new PolicySourceError({
    summary: `${place} contains ${count === 0 ? 'no RGP or EGP' : `${count} RGPs and EGPs`}`,
    cures:
      'give simulate() one construct RgpPolicy or EgpPolicy, the path of a file *.sentinel, or the text of a policy',
  });
}

export function badTime(time: string): Error {
  return new PolicySourceError(
    `time is not valid: received ${JSON.stringify(time)}; allowed: a Date, or a text such as 2026-01-31T09:00:00Z`,
  );
}
