import { AclPolicyError, parseAclPolicy, type AclPolicy } from '../acl';

/** Rules, and the comparison with an earlier text, look at the same text one after the other: it is parsed once. */
let latest: { readonly text: string; readonly result: AclPolicy | AclPolicyError } | undefined;

/** Returns a text as a policy, or why it is none. */
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
