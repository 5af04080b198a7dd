import { AclPolicyError, parseAclPolicy, type AclPolicy } from '../acl';

/**
 * The latest texts with their results, the oldest first. They are kept because a plan needs a text
 * several times: for its rules, and for the comparison with the earlier text. In between, Terraform
 * plans other policies.
 */
const LATEST = new Map<string, AclPolicy | AclPolicyError>();
const MOST = 16;

/**
 * Parses a policy.
 *
 * @returns the error if the text is not a policy.
 */
export function parsedPolicy(text: string): AclPolicy | AclPolicyError {
  const known = LATEST.get(text);
  const result = known ?? parseOrRefuse(text);
  LATEST.delete(text);
  LATEST.set(text, result);
  if (LATEST.size > MOST) LATEST.delete(LATEST.keys().next().value!);
  return result;
}

function parseOrRefuse(text: string): AclPolicy | AclPolicyError {
  try {
    return parseAclPolicy(text);
  } catch (error) {
    if (error instanceof AclPolicyError) return error;
    throw error;
  }
}
