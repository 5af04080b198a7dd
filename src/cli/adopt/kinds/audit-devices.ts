import { findAuditDevices } from '../../../inventory';
import {
  AUDIT_DEVICE,
  backendOfType,
  encodeAuditDevice,
  formatImportId,
  parseDuration,
  type AuditDeviceBackend,
  type FieldValues,
  type ObjectIdentity,
} from '../../../model';
import { CodeExpression, type CodeValue } from '../app/code';
import { resourceType, type Declaration, type Naming, type ResourceAddress } from '../app/declaration';
import { slug } from '../app/names';
import { fieldArguments, placeArguments } from '../hcl/arguments';
import { HclBlock } from '../hcl/hcl';
import { adoptedKind } from './kind';
import { members, propsOf } from './props';

/** The fields whose values are members of enumerations. */
const ENUMERATIONS: Readonly<Record<string, string>> = {
  format: 'AuditFormat',
  socket_type: 'AuditSocketType',
};

interface FoundAuditDevice {
  /** The name is the path. */
  readonly identity: ObjectIdentity;
  readonly backend: AuditDeviceBackend;
  readonly fields: FieldValues;
}

const TITLE = `${AUDIT_DEVICE.title}s`;

/** The audit devices of a cluster, which are in its root namespace. */
export const AUDIT_DEVICES = adoptedKind<FoundAuditDevice>({
  title: TITLE,
  fromPrimary: false,

  async read(place, { replicated }) {
    const { cluster, namespace, client } = place;
    if (client.namespace !== '') return [];
    const devices = await place.attempt(TITLE, AUDIT_DEVICE, () => findAuditDevices(client));
    return (devices?.data ?? []).flatMap(({ device: { path, type, ...fields } }) => {
      // The others come from the primary, and are adopted there.
      if (replicated && fields.local !== true) return [];
      const backend = backendOfType(AUDIT_DEVICE, type);
      return backend ? [{ identity: { cluster, namespace, name: path }, backend, fields }] : [];
    });
  },

  declarable: ({ identity: { name }, backend: { definition }, fields }) => ({
    definition,
    values: { ...fields, path: name, name },
  }),

  addressOf,

  parts(found, naming) {
    return [{ title: TITLE, declarations: found.map((device) => declare(device, naming)) }];
  },
});

function addressOf({ identity }: FoundAuditDevice): ResourceAddress {
  return { resource: resourceType(AUDIT_DEVICE), importId: formatImportId(identity) };
}

function declare(device: FoundAuditDevice, { ids }: Naming): Declaration {
  const { identity, backend, fields } = device;
  const { namespace, name } = identity;
  return {
    id: ids.take(slug('audit', namespace, name)),
    construct: 'AuditDevice',
    props: {
      cluster: CodeExpression.local('cluster'),
      namespace: namespace || undefined,
      path: name,
      ...propsOf(AUDIT_DEVICE.fields, fields, { toValue }),
      log: CodeExpression.call('AuditLog', backend.type, propsOf(backend.fields, fields, { toValue })),
    },
    arguments: {
      ...placeArguments(AUDIT_DEVICE, identity),
      ...fieldArguments(AUDIT_DEVICE.fields, fields),
      [backend.block]: new HclBlock(fieldArguments(backend.fields, fields)),
    },
    ...addressOf(device),
    write: {
      cluster: identity.cluster,
      namespace,
      path: `${AUDIT_DEVICE.path}/${name}`,
      body: encodeAuditDevice({ ...fields, type: backend.type }),
      secrets: [],
    },
  };
}

function toValue(name: string, value: unknown): CodeValue {
  const enumeration = ENUMERATIONS[name];
  if (enumeration !== undefined) return members(enumeration, value);
  return name === 'write_timeout'
    ? CodeExpression.call('Duration', 'seconds', parseDuration(String(value)))
    : (value as CodeValue);
}
