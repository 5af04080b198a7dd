import { NEVER, refusal, type Assumption, type Since } from './assumption';

/** The behavior of requests, mounts and namespaces that public sources leave open. */
export const REQUEST_ASSUMPTIONS = {
  namespaceWithChildren: refusal(
    'The refusal to delete a namespace that has child namespaces.',
    'with a text that names the namespace.',
    (path: string) => `cannot delete namespace ("${path}") containing child namespaces`,
  ),
  nestedNamespaceNames: refusal(
    'The refusal to create a namespace below one that does not exist, by writing both names in one path.',
    'with a text that names the namespace. Below one that exists it is created.',
    (name: string) => `parent namespace of "${name}/" does not exist; create it first`,
  ),
  untidyPaths: {
    open: 'The status that redirects clients from a path with repeated slashes or dot segments to the clean path.',
    alternatives: {
      '301': { says: "301, as Go's router responds in versions up to 1.21.", status: 301 },
      '307': { says: "307, as Go's router responds in later versions.", status: 307 },
    },
  },
  wrappingTokenMissing: refusal(
    'The refusal of a wrapping lookup without a token: public sources differ.',
    'with the text `missing "token" value in input`.',
    () => 'missing "token" value in input',
  ),
  modelRefusals: refusal(
    'The refusal of an RGP, an EGP, a managed key, a snapshot configuration or a replication call that is not valid.',
    'with a text that names the field, the value received and the values allowed.',
    (text: string) => text,
  ),
  mountType: {
    open: 'The first version that sends `mount_type` in the envelope.',
    alternatives: {
      '1.17': { says: '1.17.', since: [1, 17] as Since },
      later: { says: 'None so far.', since: NEVER },
    },
  },
  invalidTokenText: {
    open: 'The first version that adds `invalid token` to the refusal of a bad token.',
    alternatives: {
      '1.16': { says: '1.16.', since: [1, 16] as Since },
      later: { says: 'None so far.', since: NEVER },
    },
  },
  jsonErrorText: refusal(
    'The refusal of a body that is not valid JSON.',
    "with `failed to parse JSON input: ` and the emulator's own words, which never quote the body.",
    (reason: string) => `failed to parse JSON input: ${reason}`,
  ),
  aliasMetadata: {
    open: 'The first version, and the edition, with `alias_metadata` on roles and users.',
    alternatives: {
      '1.21': { says: '1.21, in both editions.', since: [1, 21] as Since },
      later: { says: 'None so far.', since: NEVER },
    },
  },
  pluginVersions: {
    open: 'The `running_plugin_version` of engines that have their own versions, such as KV.',
    alternatives: {
      server: {
        says: "The server's version with `+builtin.vault`, for all engines.",
        version: (server: string) => `v${server}+builtin.vault`,
      },
      own: {
        says: 'Their own version with `+builtin`.',
        version: (_server: string) => 'v0.24.0+builtin',
      },
    },
  },
  mountStatus: refusal(
    'The refusal of a mount at a path that is in use: the code attaches 409 and 403, published responses have 400.',
    'with the text of the code.',
    (text: string) => text,
  ),
} as const satisfies Readonly<Record<string, Assumption>>;
