import type { Fields } from '../definition/field';

/** The types of audit devices. */
export const AUDIT_DEVICE_TYPES = ['file', 'syslog', 'socket'] as const;
export type AuditDeviceTypeName = (typeof AUDIT_DEVICE_TYPES)[number];

/**
 * The fields that every audit device has and that are not options. All other fields are options.
 */
export const AUDIT_DEVICE_FIELDS = {
  path: {
    type: 'string',
    required: true,
    identity: true,
    doc: 'Path that the device is enabled at, such as `file`. It may contain slashes, but not end with one.',
  },
  description: { type: 'string', doc: 'Human-readable description of the device.' },
  local: {
    type: 'boolean',
    default: false,
    doc: 'Keeps the device on this cluster: replication neither copies nor removes it.',
  },
} as const satisfies Fields;

/** The options that devices of every type have. */
export const COMMON_OPTIONS = {
  format: {
    type: 'string',
    default: 'json',
    allowed: ['json', 'jsonx'],
    doc: 'Format of the entries: `json`, or `jsonx` for XML.',
  },
  prefix: { type: 'string', doc: 'Text to write before every entry.' },
  log_raw: {
    type: 'boolean',
    default: false,
    doc: 'Logs sensitive values in plain text, without hashing them. Only for testing.',
  },
  hmac_accessor: { type: 'boolean', default: true, doc: 'Hashes token accessors.' },
  elide_list_responses: {
    type: 'boolean',
    default: false,
    doc: 'Logs the number of entries of a list response, instead of the entries.',
  },
  filter: {
    type: 'string',
    since: '1.16',
    doc: 'Expression that selects the entries to log, such as `mount_type == "kv"`. Requires Vault Enterprise 1.16.',
  },
  fallback: {
    type: 'boolean',
    default: false,
    since: '1.16',
    doc:
      'Logs the entries that the filters of all other devices leave out. One device of a cluster can be the fallback. ' +
      'Requires Vault Enterprise 1.16.',
  },
  exclude: {
    type: 'string',
    since: '1.18',
    doc:
      'What to leave out of entries, as a JSON array of objects with `fields`, a list of JSON pointers, and optionally ' +
      '`condition`, an expression. Requires Vault Enterprise 1.18.',
  },
} as const satisfies Fields;

export const FILE_OPTIONS = {
  file_path: {
    type: 'string',
    required: true,
    doc: 'Path of the file on every node of the cluster. `stdout` writes to standard output, `discard` writes nothing.',
  },
  mode: {
    type: 'string',
    default: '0600',
    doc: 'Permissions of the file in octal digits. `0000` keeps the permissions of an existing file.',
  },
} as const satisfies Fields;

export const DEFAULT_SYSLOG_FACILITY = 'AUTH';

export const SYSLOG_OPTIONS = {
  facility: { type: 'string', default: DEFAULT_SYSLOG_FACILITY, doc: 'Syslog facility.' },
  tag: { type: 'string', default: 'vault', doc: 'Syslog tag.' },
} as const satisfies Fields;

export const SOCKET_OPTIONS = {
  address: {
    type: 'string',
    required: true,
    doc: 'Address of the socket: `127.0.0.1:9090`, or the path of a UNIX socket.',
  },
  socket_type: {
    type: 'string',
    default: 'tcp',
    allowed: ['tcp', 'udp', 'unix'],
    doc: 'Type of the socket. With `udp`, entries may be lost without notice.',
  },
  write_timeout: {
    type: 'duration',
    default: '2s',
    doc: 'How long a write may take: seconds, or a duration such as `2s`.',
  },
} as const satisfies Fields;
