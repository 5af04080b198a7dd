import { backendOfType } from '../definition/backends';
import type { Field, FieldValues } from '../definition/field';
import { AUDIT_DEVICE } from './audit-device';
import { AUDIT_DEVICE_FIELDS } from './fields';

/** The body of a request: servers take the options as texts. What is left out stays out. */
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

/** A device as a server lists it, in the form in which it is written. Options of other kinds are left out. */
export function decodeAuditDevice({ type, description, local, options }: FieldValues): FieldValues {
  const held: FieldValues = typeof options === 'object' && options !== null ? { ...options } : {};
  const told = optionsOf(type).flatMap(([name, field]) => {
    const value = held[name];
    return value === undefined ? [] : [[name, decodeOption(field, value)] as const];
  });
  return { type, description, local, ...Object.fromEntries(told) };
}

function decodeOption({ type }: Field, value: unknown): unknown {
  if (type !== 'boolean' || typeof value !== 'string') return value;
  return ['true', 't', '1'].includes(value.toLowerCase());
}

function optionsOf(type: unknown): readonly (readonly [string, Field])[] {
  const fields = backendOfType(AUDIT_DEVICE, type)?.definition.fields ?? {};
  return Object.entries(fields).filter(([name]) => !(name in AUDIT_DEVICE_FIELDS));
}
