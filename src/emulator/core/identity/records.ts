import type { JsonObject } from '../primitives/json';

/*
 * The records of the identity store. Times are milliseconds since 1970. `null` stands for a value that was never given, as in
 * responses.
 */

type Texts = Readonly<Record<string, string>>;

/** A person or machine that logs in, regardless of its names in auth methods. */
export interface Entity extends JsonObject {
  readonly id: string;
  readonly name: string;
  readonly namespaceId: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly metadata: Texts | null;
  readonly policies: readonly string[];
  readonly disabled: boolean;
  /** Of the entities that were merged into this one. */
  readonly mergedEntityIds: readonly string[] | null;
  readonly aliases: readonly Alias[];
}

/** An entity's name at one auth method. */
export interface Alias extends JsonObject {
  readonly id: string;
  readonly name: string;
  readonly mountAccessor: string;
  readonly local: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** As of the latest login. */
  readonly metadata: Texts | null;
  readonly customMetadata: Texts | null;
  readonly mergedFromEntityIds: readonly string[] | null;
}

/** Entities and groups that have policies in common. */
export interface Group extends JsonObject {
  readonly id: string;
  readonly name: string;
  readonly namespaceId: string;
  /** External groups take their members from an auth method's groups, internal ones from whoever writes them. */
  readonly type: 'internal' | 'external';
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly modifyIndex: number;
  readonly metadata: Texts | null;
  readonly policies: readonly string[] | null;
  readonly memberEntityIds: readonly string[] | null;
  /** Of the groups that this one is a member of. */
  readonly parentGroupIds: readonly string[] | null;
  readonly alias: GroupAlias | null;
}

/** An external group's name at one auth method. */
export interface GroupAlias extends JsonObject {
  readonly id: string;
  readonly name: string;
  readonly mountAccessor: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}
