import { withDefinition, type BackedObject, type Backend, type BackendFacts } from '../definition/backends';
import type { ObjectDefinition, Rule } from '../definition/field';
import { notEmptyRule, textRule } from '../definition/rules';
import type { ValuesOf } from '../definition/typed-values';
import {
  COMMON_OPTIONS,
  AUDIT_DEVICE_FIELDS,
  FILE_OPTIONS,
  SOCKET_OPTIONS,
  SYSLOG_OPTIONS,
  type AuditDeviceTypeName,
} from './fields';
import { trimmed } from '../../text';
import { literal } from '../messages';
import { AUDIT_DEVICE_PATH } from '../paths';

const PATH_FITS: Rule = textRule('path', 'path-fits', (path) => {
  const inner = trimmed(path, '/');
  if (path !== '' && path === inner && !path.includes('//')) return undefined;
  return {
    problem: 'must not be empty, begin or end with a slash, or contain an empty segment',
    received: literal(path),
    cure:
      inner === '' || inner.includes('//')
        ? 'set it to a path such as "file"'
        : `write ${JSON.stringify(inner)}`,
  };
});

const MODE_IS_OCTAL: Rule = textRule('mode', 'mode-octal', (mode) =>
  /^[0-7]*$/.test(mode)
    ? undefined
    : {
        problem: 'must be octal digits',
        received: literal(mode),
        allowed: 'permissions such as "0600"',
        cure: 'set it to permissions in octal digits',
      },
);

const EXCLUDE_IS_LIST: Rule = textRule('exclude', 'exclude-json', (exclude) =>
  exclude === '' || isJsonArray(exclude)
    ? undefined
    : {
        problem: 'must be a JSON array',
        received: literal(exclude),
        allowed: 'text such as [{"fields":["/request/data"]}]',
        cure: 'encode a list of objects as JSON, for example with jsonencode',
      },
);

function isJsonArray(text: string): boolean {
  try {
    return Array.isArray(JSON.parse(text));
  } catch {
    return false;
  }
}

const NO_RAW_LOGS: Rule = {
  id: 'log-raw-shows-secrets',
  reads: ['log_raw'],
  check: ({ log_raw: raw }) =>
    raw === true
      ? [
          {
            severity: 'warning',
            rule: 'log-raw-shows-secrets',
            field: 'log_raw',
            problem: 'logs tokens and secrets in plain text',
            received: literal(true),
            cure: 'remove it, unless the cluster is only for testing',
          },
        ]
      : [],
};

const BASE: ObjectDefinition = {
  name: 'audit_device',
  title: 'audit device',
  path: AUDIT_DEVICE_PATH,
  edition: 'community',
  restricted: true,
  immutable: true,
  doc: 'An audit device, which logs every request and every response. It cannot be updated: a change replaces it.',
  fields: { ...AUDIT_DEVICE_FIELDS, ...COMMON_OPTIONS },
  rules: [PATH_FITS, EXCLUDE_IS_LIST, NO_RAW_LOGS],
};

/** A type of audit device, which writes entries in its own way. */
export type AuditDeviceBackend = Backend<AuditDeviceTypeName>;

/** Audit devices, each of one type. */
export const AUDIT_DEVICE: BackedObject<AuditDeviceBackend> = {
  ...BASE,
  typeField: 'type',
  backends: {
    file: backend({
      type: 'file',
      title: 'file',
      block: 'file',
      doc: 'Appends entries to a file.',
      fields: FILE_OPTIONS,
      rules: [notEmptyRule('file_path', 'write the path of the file'), MODE_IS_OCTAL],
    }),
    syslog: backend({
      type: 'syslog',
      title: 'syslog',
      block: 'syslog',
      doc: 'Sends entries to the syslog agent of the machine.',
      fields: SYSLOG_OPTIONS,
      rules: [],
    }),
    socket: backend({
      type: 'socket',
      title: 'socket',
      block: 'socket',
      doc: 'Writes entries to a TCP, UDP or UNIX socket.',
      fields: SOCKET_OPTIONS,
      rules: [notEmptyRule('address', 'write the address of the socket')],
    }),
  },
};

function backend(facts: BackendFacts<AuditDeviceBackend>): AuditDeviceBackend {
  return withDefinition(BASE, facts);
}

/** The configured values of an audit device. */
export type AuditDeviceValues = Omit<ValuesOf<typeof AUDIT_DEVICE_FIELDS & typeof COMMON_OPTIONS>, 'path'> & {
  readonly type: AuditDeviceTypeName;
} & ValuesOf<typeof FILE_OPTIONS> &
  ValuesOf<typeof SYSLOG_OPTIONS> &
  ValuesOf<typeof SOCKET_OPTIONS>;
