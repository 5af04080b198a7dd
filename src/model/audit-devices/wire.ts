import { backendOfType } from '../definition/backends';
import type { Field, FieldValues } from '../definition/field';
import { AUDIT_DEVICE } from './audit-device';
import { AUDIT_DEVICE_FIELDS } from './fields';

/** Returns the body of a request, with the options as texts. An absent field stays absent. */
export function encodeAuditDevice({ type, ...values }: FieldValues): FieldValues {
  const { description, local } = values;
  const options = optionsOf(type).flatMap(([name]) => {
    const value = values[name] ?? undefined;
    return value === undefined || value === ''
      ? []
      : [[name, typeof value === 'string' ? value : JSON.stringify(value)] as const];
  });
  return { type, description, local, options: Object.fromEntries(options) };
}

/**
 * Returns a device from a server's list in the form in which it is configured. Options of other
 * types of devices are left out.
 */
export function decodeAuditDevice({ type, description, local, options }: FieldValues): FieldValues {
  const held: FieldValues = typeof options === 'object' && options !== null ? { ...options } : {};
  const present = optionsOf(type).flatMap(([name, field]) => {
    const value = held[name];
    return value === undefined ? [] : [[name, decodeOption(field, value)] as const];
  });
  return { type, description, local, ...Object.fromEntries(present) };
}

function decodeOption({ type }: Field, value: unknown): unknown {
  if (type !== 'boolean' || typeof value !== 'string') return value;
  return ['true', 't', '1'].includes(value.toLowerCase());
}

function optionsOf(type: unknown): readonly (readonly [string, Field])[] {
  const fields = backendOfType(AUDIT_DEVICE, type)?.definition.fields ?? {};
  return Object.entries(fields).filter(([name]) => !(name in AUDIT_DEVICE_FIELDS));
}
