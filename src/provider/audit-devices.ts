import type { AuditDevice, AuditDeviceFields } from '../client';
import { findAuditDevices } from '../inventory';
import { AUDIT_DEVICE, differingFields, sameMeaning } from '../model';
import { trimmedEnd } from '../text';
import {
  backedAttributes,
  backedBlocks,
  backedShown,
  backedShownAttributes,
  backedState,
  backendIn,
  callsOn,
  describeBlocks,
  fieldsIn,
  flatten,
  listDataSource,
  identificationOf,
  plannedBackend,
  refuseLaterFields,
  storedDataSource,
  storedListResource,
  storedResource,
  validateBacked,
  valuesOf,
  type StoredFields,
  type ListedKind,
  type ObjectsOfProvider,
  type ResourceKind,
  type AttributeValues,
} from './objects';

const KIND: ListedKind & ResourceKind<AuditDevice, AuditDeviceFields> = {
  definition: AUDIT_DEVICE,
  plural: { name: 'audit_devices', title: 'audit devices' },
  identification: identificationOf(AUDIT_DEVICE),
  calls: ({ auditDevices }, { name }) => callsOn(auditDevices, name),

  description: `${AUDIT_DEVICE.doc} ${describeBlocks(AUDIT_DEVICE)}`,
  attributes: backedAttributes(AUDIT_DEVICE),
  blocks: backedBlocks(AUDIT_DEVICE),
  validate: (config, context) => void validateBacked(AUDIT_DEVICE, config, context),

  // Only the location is moved: the first read adds the other attributes, as after an import.
  movedFrom: {
    vault_audit: ({ namespace, path }) => ({
      namespace: namespace ?? null,
      path: trimmedEnd(String(path), '/'),
    }),
  },

  toRequest: ({ plan }) => fieldsOf(plan),
  toState: (stored, prior) => backedState(AUDIT_DEVICE, storedFieldsOf(stored), prior),

  holds(stored, wanted) {
    const backend = backendIn(AUDIT_DEVICE, wanted);
    const values = flatten(AUDIT_DEVICE, wanted, backend);
    const differing = differingFields(backend.definition.fields, valuesOf(stored), values);
    return stored.type === backend.type && differing.length === 0;
  },

  computed: (plan) => plannedBackend(AUDIT_DEVICE, plan),
  async plan({ state, plan }, context) {
    if (state !== null && plan.type !== state.type) context.requireReplace(['type']);
    await refuseLaterFields(AUDIT_DEVICE, { plan, state }, context);
    return plan;
  },
};

/**
 * Returns the fields to write. Fields with their defaults are left out, because the server sets
 * them.
 */
function fieldsOf(plan: AttributeValues): AuditDeviceFields {
  const backend = backendIn(AUDIT_DEVICE, plan);
  const { type, definition } = backend;
  const planned = fieldsIn(definition, flatten(AUDIT_DEVICE, plan, backend));
  const given = Object.entries(planned).filter(
    ([name, value]) => !sameMeaning(definition.fields[name]!, value, undefined),
  );
  return { ...Object.fromEntries(given), type };
}

function storedFieldsOf(stored: AuditDevice): StoredFields {
  return { type: stored.type, fields: valuesOf(stored), secrets: [] };
}

/** The provider's resources for audit devices: `/sys/audit`. */
export const AUDIT_DEVICES: ObjectsOfProvider = {
  resources: [storedResource(KIND)],
  listResources: [storedListResource({ ...KIND, find: findAuditDevices })],
  dataSources: [
    storedDataSource({
      ...KIND,
      shownAttributes: backedShownAttributes(AUDIT_DEVICE),
      toShown: (stored) => backedShown(AUDIT_DEVICE, storedFieldsOf(stored)),
    }),
    listDataSource(KIND, ({ auditDevices }, options) => auditDevices.list(options)),
  ],
};
