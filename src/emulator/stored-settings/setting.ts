import type { Namespace } from '../core/backend';
import { invalidRequest } from '../core/errors';
import type { FieldSchemas } from '../core/input/field-schemas';
import type { Json, JsonObject } from '../core/primitives/json';

/** The namespace in which a setting is read. */
export interface SettingScope {
  /** The address of the API in the namespace, such as `http://127.0.0.1:8200/v1/team/`. */
  readonly address: string;
  readonly namespace: Namespace;
}

/** A setting of the server that the emulator stores and returns. */
export interface StoredSetting {
  /**
   * The path below the mount. With `:name` at the end there can be several settings, which can be
   * listed.
   */
  readonly path: string;
  /** The mount. Default: `sys`. */
  readonly mount?: 'sys' | 'identity';
  /** The name of the setting, for the list of settings without effect. */
  readonly what: string;
  /** Whether the emulator follows the setting. Default: it only stores and returns it. */
  readonly hasEffect?: true;
  readonly fields: FieldSchemas;
  /** Whether reads return the defaults of the fields before the first write. */
  readonly hasDefaults?: true;
  readonly rootNamespaceOnly?: true;
  readonly enterpriseOnly?: true;
  /** Whether the setting belongs to the cluster, not to its replication set. */
  readonly local?: true;
  /** Whether the path requires the sudo capability. */
  readonly sudo?: true;
  /** @throws LogicalError 400 if the server would refuse these values. */
  readonly check?: (values: JsonObject) => void;
  /**
   * The member in which a read of the folder shows all settings. Default: they are listed by name.
   */
  readonly readAs?: string;
  /** The settings that exist from the start and cannot be deleted, by name. */
  readonly builtIn?: Readonly<Record<string, JsonObject>>;
  /**
   * The field that returns the generated name. Settings are then created at the path without the
   * name.
   */
  readonly generatedName?: string;
  /** Returns fields that the server adds to a new setting. */
  readonly generated?: (values: JsonObject) => JsonObject;
  /** Returns the server's warnings about these values. */
  readonly warnings?: (values: JsonObject) => readonly string[];
  /** Returns the values as the server shows them. Default: the decoded values. */
  readonly shown?: (values: JsonObject, name: string, place: SettingScope) => JsonObject;
}

export const TEXT = { type: 'string', default: '' } as const;
export const OFF = { type: 'boolean', default: false } as const;
export const TEXTS = { type: 'comma_string_list', default: [] } as const;

export function mustHave(values: JsonObject, name: string): void {
  if (isEmpty(values[name])) throw invalidRequest(`missing ${name.replace('_', ' ')}`);
}

export function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

export function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

export function texts(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}
