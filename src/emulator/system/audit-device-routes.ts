import { type LogicalResponse, type Route, route } from '../core/backend';
import { invalidRequest } from '../core/errors';
import type { JsonObject } from '../core/primitives/json';
import type { StoredAuditDevice, AuditDevices } from '../core/audit/devices';
import { schemasOf } from '../core/input/model-input';
import { AUDIT_DEVICE_FIELDS } from '../../model';
import { trimmed } from '../../text';

const { path: PATH, ...SETTINGS } = schemasOf(AUDIT_DEVICE_FIELDS);

/** The routes of `sys/audit`: the audit devices. */
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
        path: PATH,
        ...SETTINGS,
        type: { type: 'string', default: '', description: 'The type: `file`, `syslog` or `socket`.' },
        options: { type: 'key_values', default: {}, description: 'Options of the type.' },
      },
      operations: {
        update: ({ data: { path, description = '', local = false, type, options } }) => {
          audit.enable({ path: canonicalPath(path), type, description, options, local });
          return ignoredOptions(options);
        },
        delete: ({ data }) => audit.disable(canonicalPath(data.path)),
      },
      help: { synopsis: 'Enables and disables an audit device.' },
    }),
    route({
      pattern: 'audit-hash/*path',
      rootNamespaceOnly: true,
      fields: {
        path: PATH,
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

/** Options that are stored but have no effect. */
const IGNORED_OPTIONS = ['filter', 'exclude', 'fallback'];

/** Returns the fields of a device in the list. */
function describe({ path, type, description, options, local }: StoredAuditDevice): JsonObject {
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
