/** Policies that the server owns: no kind of policy of that name can be written or deleted. */
export const IMMUTABLE_POLICIES: readonly string[] = ['root', 'response-wrapping', 'control-group'];

/** Immutable policies that lists and reads do not show. `root` is shown, with an empty document. */
export const HIDDEN_POLICIES: readonly string[] = ['response-wrapping', 'control-group'];

/** The ACL policy that every token has unless told otherwise: it may be written, never deleted. */
export const DEFAULT_POLICY = 'default';
