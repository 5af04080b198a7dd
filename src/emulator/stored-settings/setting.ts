import type { Namespace } from '../core/backend';
import { invalidRequest } from '../core/errors';
import type { FieldSchemas } from '../core/input/fields';
import type { Json, JsonObject } from '../core/primitives/json';

/** Where a setting is read. */
export interface Place {
  /** Of the API in the namespace, such as `http://127.0.0.1:8200/v1/team/`. */
  readonly address: string;
  readonly namespace: Namespace;
}

/** A setting of the server that the emulator only stores and returns. */
export interface StoredSetting {
  /** Below the mount. With `:name` at the end there may be many of them, and they can be listed. */
  readonly path: string;
  /** Default: `sys`. */
  readonly mount?: 'sys' | 'identity';
  /** The name of the setting, for the list of settings without effect. */
  readonly what: string;
  readonly fields: FieldSchemas;
  /** Answers before anything was written, with the defaults of the fields. */
  readonly hasDefaults?: true;
  readonly rootNamespaceOnly?: true;
  readonly enterpriseOnly?: true;
  /** Belongs to the cluster, not to its replication set. */
  readonly local?: true;
  /** Requires the sudo capability. */
  readonly sudo?: true;
  /** @throws LogicalError 400 if the server would refuse these values. */
  readonly check?: (values: JsonObject) => void;
  /** The member in which a read of the folder shows all of them. Default: they are listed by name. */
  readonly readAs?: string;
  /** By name, what there is from the start and cannot be deleted. */
  readonly builtIn?: Readonly<Record<string, JsonObject>>;
  /** The server generates the names. Settings are created at the path without the name, and this field returns it. */
  readonly generatedName?: string;
  /** What the server adds to a new one. */
  readonly generated?: (values: JsonObject) => JsonObject;
  /** The server's warnings about these values. */
  readonly warnings?: (values: JsonObject) => readonly string[];
  /** How the server shows what is stored. Default: as it was decoded. */
  readonly shown?: (values: JsonObject, name: string, place: Place) => JsonObject;
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
