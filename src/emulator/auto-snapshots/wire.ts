import {
  type Dialect,
  type Field,
  type FieldValues,
  SNAPSHOT_STORAGE_TYPES,
  AUTO_SNAPSHOT,
  autoSnapshotOf,
  fromProduct,
  AUTO_SNAPSHOT_BACKENDS,
  toProduct,
} from '../../model';
import type { ResponseData, ServerFlavour } from '../core/backend';
import type { FieldSchemas } from '../core/input/field-schemas';
import { knowsField, schemaOf } from '../core/input/model-input';
import type { SnapshotConfig } from './store';

/** Every field of every storage type. */
const ALL_FIELDS: Readonly<Record<string, Field>> = Object.fromEntries(
  Object.values(AUTO_SNAPSHOT_BACKENDS).flatMap(({ definition }) => Object.entries(definition.fields)),
);

/** Converts configurations to the dialect of one server, with the fields that its version has. */
export class SnapshotWire {
  /** The fields of a write. */
  readonly fields: FieldSchemas;
  readonly #words: ReadonlyMap<string, string>;

  readonly #server: ServerFlavour;

  constructor(server: ServerFlavour) {
    this.#server = server;
    const toWire = wireName(server.dialect);
    const names = Object.keys(ALL_FIELDS).map((name) => [name, toWire(name)] as const);
    this.#words = new Map([
      ...names,
      ...SNAPSHOT_STORAGE_TYPES.map((type) => [type, toWireType(server, type)] as const),
    ]);
    this.fields = Object.fromEntries(
      names
        .filter(([name]) => this.knows(name))
        .map(([name, onWire]) => [onWire, schemaOf(ALL_FIELDS[name] as Field)]),
    );
  }

  /** Returns the fields of a request under Vault's names, without those that were not sent. */
  decode(data: FieldValues): FieldValues {
    const sent = Object.entries(data).filter(([name, value]) => name !== 'name' && value !== undefined);
    return toProduct(this.#server.dialect, AUTO_SNAPSHOT.name).fields(Object.fromEntries(sent));
  }

  /** Returns a configuration as it is read: all fields of its storage type, secrets included. */
  encode(config: SnapshotConfig): ResponseData {
    const read = Object.entries(autoSnapshotOf(config.storage_type).fields)
      .filter(([name, { identity }]) => identity !== true && this.knows(name))
      .map(([name, field]) => [name, config[name] ?? unset(name, field)]);
    return fromProduct(this.#server.dialect, AUTO_SNAPSHOT.name).fields(
      Object.fromEntries(read) as FieldValues,
    ) as ResponseData;
  }

  /** Replaces names of fields and storage types in a text by those of the dialect. */
  text(text: string): string {
    return text.replace(/[\w-]+/g, (word) => this.#words.get(word) ?? word);
  }

  /** Whether the server's version has a field. */
  knows(name: string): boolean {
    return knowsField(this.#server, ALL_FIELDS[name] ?? {});
  }
}

function wireName(dialect: Dialect): (name: string) => string {
  const translation = fromProduct(dialect, AUTO_SNAPSHOT.name);
  return (name) => Object.keys(translation.fields({ [name]: null }))[0] ?? name;
}

function toWireType({ dialect }: ServerFlavour, type: string): string {
  return fromProduct(dialect, AUTO_SNAPSHOT.name).type(type);
}

/** Returns the value that servers show for a field that is not set. */
function unset(name: string, { type }: Field): string | number | boolean {
  if (name === 'google_endpoint') return false;
  return type === 'string' ? '' : type === 'boolean' ? false : 0;
}
