import { refusal, type Assumption } from './assumption';

/** The behavior of policies that public sources leave open. */
export const POLICY_ASSUMPTIONS = {
  egpList: {
    open: "The second member of the EGP list: the documentation says `name_path_map`, the server's code `key_info`.",
    alternatives: {
      both: {
        says: 'Both members, with the same value: for every name a list of `{path, glob}`.',
        members: ['key_info', 'name_path_map'],
      },
      'key-info': { says: 'Only `key_info`.', members: ['key_info'] },
      'name-path-map': { says: 'Only `name_path_map`.', members: ['name_path_map'] },
    },
  },
  egpSlashes: {
    open:
      'Whether the server keeps a leading slash in the paths of an EGP. The slash is ignored when paths are matched. The integration ' +
      'tests of hvac expect it to be kept. This package never writes one.',
    alternatives: {
      dropped: { says: 'Without the slash.', keepsSlash: false },
      kept: { says: 'As it was written.', keepsSlash: true },
    },
  },
  policiesInNamespaces: {
    open: 'Whether policies can be written outside the root namespace in 1.13, whose documentation calls them restricted.',
    alternatives: {
      everywhere: {
        says: 'Every namespace has its own policies, in all versions.',
        rootNamespaceOnly: false,
      },
      root: { says: 'Policies exist only in the root namespace.', rootNamespaceOnly: true },
    },
  },
  sentinelRefusals: {
    open: 'How an RGP or EGP refuses a request on a path that needs no token, such as a login.',
    alternatives: {
      '400': {
        says: '400 with the texts of a denial, and without a trace.',
        status: 400,
        isTraced: false,
      },
      '403': { says: '403, as on other paths.', status: 403, isTraced: true },
    },
  },
  egpLists: {
    open: 'Whether an EGP on a path without a final slash, such as `kv/metadata/app`, governs the LIST of that path. The path of a LIST ends with a slash.',
    alternatives: {
      'with-slash': {
        says: 'It does not: the path of the EGP must end with a slash, or with `*`.',
        listsWithoutSlash: false,
      },
      either: { says: 'It does.', listsWithoutSlash: true },
    },
  },
  sentinelBounds: {
    open: 'How long an RGP or EGP may run: no limits are documented.',
    alternatives: {
      wide: {
        says: 'After 500,000 expressions and statements, or 10,000,000 characters and elements, it fails with an error.',
        limits: { steps: 500_000, memory: 10_000_000 },
      },
      narrow: {
        says: 'After 10,000 expressions and statements, or 100,000 characters and elements, it fails with an error.',
        limits: { steps: 10_000, memory: 100_000 },
      },
    },
  },
  policyOverrideText: refusal(
    'The refusal of a value of `X-Vault-Policy-Override` that is not valid.',
    "with `failed to parse X-Vault-Policy-Override header: ` and the emulator's own words.",
    (reason: string) => `failed to parse X-Vault-Policy-Override header: ${reason}`,
  ),
  mfaHeaderText: refusal(
    'The refusal of a value of `X-Vault-MFA` that is not valid.',
    "with `failed to parse X-Vault-MFA header: ` and the emulator's own words.",
    (reason: string) => `failed to parse X-Vault-MFA header: ${reason}`,
  ),
} as const satisfies Readonly<Record<string, Assumption>>;
