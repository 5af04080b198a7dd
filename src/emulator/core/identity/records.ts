import type { JsonObject } from '../primitives/json';

/*
 * The records of the identity store. Times are milliseconds since 1970. As in responses, `null`
 * means that a value was never set.
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
  /** The ids of the entities that were merged into this one. */
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
  /** The metadata of the latest login. */
  readonly metadata: Texts | null;
  readonly customMetadata: Texts | null;
  readonly mergedFromEntityIds: readonly string[] | null;
}

/** A group of entities and groups, with policies for all of them. */
export interface IdentityGroup extends JsonObject {
  readonly id: string;
  readonly name: string;
  readonly namespaceId: string;
  /**
   * The members of external groups come from the groups of an auth method, those of internal groups
   * are set by requests.
   */
  readonly type: 'internal' | 'external';
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly modifyIndex: number;
  readonly metadata: Texts | null;
  readonly policies: readonly string[] | null;
  readonly memberEntityIds: readonly string[] | null;
  /** The ids of the groups that have this one as a member. */
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
