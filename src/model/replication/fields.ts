import { stringSet } from '../definition/coerce';
import type { Field } from '../definition/field';
import { sameFilterPaths } from './filter-path';

/** The modes in which a paths filter applies its paths. */
export const FILTER_MODES = ['allow', 'deny'] as const;
export type FilterMode = (typeof FILTER_MODES)[number];

/** The first version of the server with public keys. */
export const PUBLIC_KEYS_SINCE = '1.3';

/** The default time to live of a secondary's token. */
export const DEFAULT_TOKEN_TTL = '30m';

export const SECONDARY_ID_FIELD = {
  type: 'string',
  required: true,
  identity: true,
  doc:
    'Opaque unique identifier of the secondary, chosen when its activation token is generated. The primary knows ' +
    'the secondary and its paths filter by this id.',
} as const satisfies Field;

export const TTL_FIELD = {
  type: 'duration',
  default: DEFAULT_TOKEN_TTL,
  doc: 'Time to live of the activation token: seconds, or a duration such as `30m`.',
} as const satisfies Field;

export const PUBLIC_KEY_FIELD = {
  type: 'string',
  default: '',
  doc:
    "The secondary's public key, from `generate-public-key`: the token is encrypted with it, instead of response " +
    `wrapping. Requires version ${PUBLIC_KEYS_SINCE}.`,
} as const satisfies Field;

export const PRIMARY_CLUSTER_ADDR_FIELD = {
  type: 'string',
  default: '',
  doc:
    'Cluster address that the primary gives to secondaries, such as the address of a load balancer. If empty, the ' +
    "primary gives them the cluster address from the server's configuration.",
} as const satisfies Field;

export const FORCE_FIELD = {
  type: 'boolean',
  default: false,
  doc: 'Promotes the secondary even if the safety checks fail. Data that has not arrived yet may be lost.',
} as const satisfies Field;

export const ACTIVATION_TOKEN_FIELD = {
  type: 'string',
  required: true,
  sensitive: true,
  doc: 'Activation token that the primary issued for this secondary. It can be used once, within its TTL.',
} as const satisfies Field;

export const NEW_PRIMARY_TOKEN_FIELD = {
  ...ACTIVATION_TOKEN_FIELD,
  required: false,
  doc: 'Activation token of the new primary. An empty string makes the secondary forget its previous primary.',
} as const satisfies Field;

export const PRIMARY_API_ADDR_FIELD = {
  type: 'string',
  default: '',
  doc:
    'API address of the primary, such as `https://primary.example.com:8200`, instead of the one in the activation ' +
    'token.',
} as const satisfies Field;

export const CA_FILE_FIELD = {
  type: 'string',
  default: '',
  doc:
    'Path, on the machine of the secondary, of a PEM file with the CA certificates to trust when the token is unwrapped ' +
    'at the primary. Default, without `ca_path`: the CA certificates of the system.',
} as const satisfies Field;

export const CA_PATH_FIELD = {
  type: 'string',
  default: '',
  doc:
    'Path, on the machine of the secondary, of a directory with such PEM files. Default, without `ca_file`: the ' +
    'CA certificates of the system.',
} as const satisfies Field;

export const UPDATE_PRIMARY_ADDRS_FIELD = {
  type: 'string_list',
  default: [],
  doc:
    'Cluster addresses, `host:port`, of candidate primaries. They are contacted in sequence, and those that answer are ' +
    "recorded as the primary's new addresses. This disrupts replication less than a token.",
} as const satisfies Field;

export const FILTER_MODE_FIELD = {
  type: 'string',
  default: 'allow' satisfies FilterMode,
  allowed: FILTER_MODES,
  doc:
    'Meaning of the paths. `allow`: the secondary receives only the listed secret and auth mounts; `deny`: it does ' +
    'not receive the listed mounts and namespaces.',
} as const satisfies Field;

export const FILTER_PATHS_FIELD = {
  type: 'string_set',
  default: [],
  sameMeaning: (one, other) => sameFilterPaths(stringSet(one) ?? [], stringSet(other) ?? []),
  doc: 'Paths of mounts and namespaces, such as `secret/`, `auth/approle/` and `team-a/`.',
} as const satisfies Field;
