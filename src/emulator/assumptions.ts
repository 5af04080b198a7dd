/** Something that the server's public sources leave open, and what the emulator does. */
export interface Assumption {
  /** What is not known. */
  readonly what: string;
  /** What the emulator does, as its documentation says it. */
  readonly choice: string;
  /** What the code takes from here: a status, a text, a version. */
  readonly [value: string]: unknown;
}

/**
 * Every choice the emulator makes for want of a public source, in one place: the code takes what it needs from here,
 * and the documentation lists it.
 */
export const assumptions = {
  namespaceWithChildren: {
    what: 'The answer to deleting a namespace that holds others.',
    choice: '400 with a text that names the namespace; nothing is deleted.',
    text: (path: string) => `cannot delete namespace ("${path}") containing child namespaces`,
  },
  nestedNamespaceNames: {
    what: 'Whether a namespace can be created below another one by writing both names in one path.',
    choice: 'It can, where the other one exists.',
  },
  untidyPaths: {
    what: 'The status that sends clients from a path with repeated slashes or dot segments to the tidy one.',
    choice: "301, as Go's router answers on the versions up to 1.21.",
    status: 301,
  },
  wrappingTokenMissing: {
    what: 'The refusal of a wrapping lookup without any token: public sources have several.',
    choice: '400 with the text `missing "token" value in input`.',
  },
  sentinelWriteStatus: {
    what: 'The status of a successful write of an RGP or EGP.',
    choice: '204, or 200 where the name was folded to lower case, as with ACL policies.',
  },
  sentinelCompiler: {
    what: 'How strictly a server checks Sentinel text, and what it says.',
    choice:
      'The text must not be empty, and its brackets, strings and comments must close; else 400 naming the place.',
  },
  sentinelEnforcement: {
    what: 'The decisions of RGPs and EGPs, which need a Sentinel interpreter.',
    choice: 'They are stored and listed, and never refuse a request.',
  },
  sentinelRefusals: {
    what: 'The texts that refuse an enforcement level or paths.',
    choice: '400 with a text that names the field, what was received and what is allowed.',
  },
  egpList: {
    what: "The second member of the EGP list: the documentation says `name_path_map`, the server's code `key_info`.",
    choice: 'Both members, with the same value: for every name a list of `{path, glob}`.',
  },
  mountType: {
    what: 'The version that began to send `mount_type` in the envelope.',
    choice: '1.17.',
    since: [1, 17],
  },
  invalidTokenText: {
    what: 'The version that began to add `invalid token` to the refusal of a bad token.',
    choice: '1.16.',
    since: [1, 16],
  },
  policiesInNamespaces: {
    what: 'Whether policies can be written outside the root namespace on 1.13, whose documentation calls them restricted.',
    choice: 'Every namespace has policies of its own, on all versions.',
  },
  jsonErrorText: {
    what: 'The text that follows `failed to parse JSON input: `.',
    choice: "Words of the emulator's own, which never quote the body.",
  },
  keyServers: {
    what: 'JWT logins with keys of a key server or an OIDC provider, which the emulator never contacts.',
    choice: 'Such a configuration is stored without a check, and its logins are refused with 400.',
    text: "error validating token: the emulator fetches no keys: configure 'jwt_validation_pubkeys'",
  },
  aliasMetadata: {
    what: 'The version and the edition that began to take and show `alias_metadata` on roles and users.',
    choice: '1.21, in both editions.',
    since: [1, 21],
  },
  pluginVersions: {
    what: 'The `running_plugin_version` of engines that have versions of their own, such as KV.',
    choice: "The server's version with `+builtin.vault`, for all of them.",
  },
  mountStatus: {
    what: 'The status of a refused mount: the code attaches 409 and 403, published answers have 400.',
    choice: '400.',
  },
  leaseIds: {
    what: 'The salted hash at the end of the lease id of a token.',
    choice: '`h` and a SHA-256 of the token.',
  },
} as const satisfies Readonly<Record<string, Assumption>>;
