import { type LogicalResponse, type Route, route } from '../core/backend';
import { invalidRequest } from '../core/errors';
import type { JsonObject } from '../core/primitives/json';
import type { AuditDevice, AuditDevices } from '../core/audit/devices';
import { trimmed } from '../../text';

/** `sys/audit`: the audit devices. */
export function auditRoutes({ audit }: { readonly audit: AuditDevices }): readonly Route[] {
  return [
    route({
      pattern: 'audit',
      rootNamespaceOnly: true,
      operations: {
        read: () => ({
          data: Object.fromEntries(audit.list().map((device) => [device.path, describe(device)])),
        }),
      },
      help: { synopsis: 'Lists the enabled audit devices.' },
    }),
    route({
      pattern: 'audit/*path',
      rootNamespaceOnly: true,
      fields: {
        path: { type: 'string', path: true, description: 'The name of the audit device.' },
        type: { type: 'string', default: '', description: 'The type: `file`, `syslog` or `socket`.' },
        description: { type: 'string', default: '', description: 'Human-readable description.' },
        options: { type: 'key_values', default: {}, description: 'Options of the type.' },
        local: {
          type: 'boolean',
          default: false,
          description: 'Neither replicated, nor removed by replication.',
        },
      },
      operations: {
        update: ({ data }) => {
          audit.enable({ ...data, path: canonicalPath(data.path) });
          return ignoredOptions(data.options);
        },
        delete: ({ data }) => {
          audit.disable(canonicalPath(data.path));
          return undefined;
        },
      },
      help: { synopsis: 'Enables and disables an audit device.' },
    }),
    route({
      pattern: 'audit-hash/*path',
      rootNamespaceOnly: true,
      fields: {
        path: { type: 'string', path: true, description: 'The name of the audit device.' },
        input: { type: 'string', default: '', description: 'What to hash.' },
      },
      operations: {
        update: ({ data: { path, input } }) => {
          if (input === '') throw invalidRequest('the "input" parameter is empty');
          const hash = audit.hash(canonicalPath(path), input);
          if (hash === undefined) throw invalidRequest(`unknown audit backend "${canonicalPath(path)}"`);
          return { data: { hash } };
        },
      },
      help: { synopsis: "Hashes a text as a device's entries do." },
    }),
  ];
}

export const AUDIT_ROOT_PATHS = ['audit', 'audit/*'];

/** Options that are stored but have no effect here. */
const IGNORED_OPTIONS = ['filter', 'exclude', 'fallback'];

/** What the list shows of a device. */
function describe({ path, type, description, options, local }: AuditDevice): JsonObject {
  return { path, type, description, options, local };
}

function canonicalPath(path: string): string {
  return `${trimmed(path, '/')}/`;
}

function ignoredOptions(options: Readonly<Record<string, string>>): LogicalResponse | undefined {
  const ignored = IGNORED_OPTIONS.filter((name) => Object.hasOwn(options, name));
  return ignored.length === 0
    ? undefined
    : {
        warnings: [`the emulator stores these options and does not apply them: [${ignored.join(' ')}]`],
      };
}
