import {
  AUDIT_DEVICE,
  formatImportId,
  parseDuration,
  sameMeaning,
  type Field,
  type FieldValues,
} from '../../../model';
import type { FoundAuditDevice } from '../estate/found';
import { Expression, type Fields, type Value } from './code';
import { resourceType, type Declaration, type Part } from './declaration';
import { camelCase, memberName, slug, type UniqueNames } from './names';

/** The audit devices of a cluster. */
export function auditPart(devices: readonly FoundAuditDevice[], ids: UniqueNames): Part {
  return {
    title: `${AUDIT_DEVICE.title}s`,
    declarations: devices.map((device) => declare(device, ids)),
  };
}

function declare({ identity, backend, fields }: FoundAuditDevice, ids: UniqueNames): Declaration {
  const { namespace, name } = identity;
  return {
    id: ids.take(slug('audit', namespace, name)),
    construct: 'AuditDevice',
    props: {
      cluster: Expression.local('cluster'),
      namespace: namespace || undefined,
      path: name,
      ...propsOf(AUDIT_DEVICE.fields, fields),
      log: Expression.call('AuditLog', backend.type, propsOf(backend.fields, fields)),
    },
    resource: resourceType(AUDIT_DEVICE),
    importId: formatImportId(identity),
  };
}

/** Fields as props, without those that hold their defaults. */
function propsOf(definitions: Readonly<Record<string, Field>>, fields: FieldValues): Fields {
  const given = Object.entries(definitions).filter(
    ([name, field]) => !field.identity && !sameMeaning(field, fields[name], undefined),
  );
  return Object.fromEntries(given.map(([name]) => [camelCase(name), valueOf(name, fields[name])]));
}

function valueOf(name: string, value: unknown): Value {
  if (typeof value === 'boolean') return value;
  const text = String(value);
  if (name === 'socket_type') return Expression.member('AuditSocketType', memberName(text));
  return name === 'write_timeout' ? Expression.call('Duration', 'seconds', parseDuration(text)) : text;
}
