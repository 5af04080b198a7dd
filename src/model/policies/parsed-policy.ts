import { AclPolicyError, parseAclPolicy, type AclPolicy } from '../acl';

/**
 * The latest text with its result: rules, and the comparison with an earlier text, need the same
 * text one after the other.
 */
let latest: { readonly text: string; readonly result: AclPolicy | AclPolicyError } | undefined;

/**
 * Parses a policy.
 *
 * @returns the error if the text is not a policy.
 */
export function parsedPolicy(text: string): AclPolicy | AclPolicyError {
  if (latest?.text !== text) latest = { text, result: parseOrRefuse(text) };
  return latest.result;
}

function parseOrRefuse(text: string): AclPolicy | AclPolicyError {
  try {
    return parseAclPolicy(text);
  } catch (error) {
    if (error instanceof AclPolicyError) return error;
    throw error;
  }
}
