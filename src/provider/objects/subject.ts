import { formatImportId, objectTitle, type ObjectDefinition, type ObjectIdentity } from '../../model';

/** The subject of a request. */
export interface Subject {
  readonly definition: Pick<ObjectDefinition, 'title' | 'edition' | 'restricted'>;
  readonly location: Pick<ObjectIdentity, 'cluster' | 'namespace'>;
  /** The name of the object in messages: `ACL policy "ops"`. */
  readonly title: string;
}

/** One object, for requests and messages. */
export interface ObjectSubject extends Subject {
  readonly definition: ObjectDefinition;
  /** The import id of the object in the full form. */
  readonly id: string;
}

/** Returns the subject for requests and messages about an object. */
export function subjectOf(definition: ObjectDefinition, identity: ObjectIdentity): ObjectSubject {
  const title = objectTitle(definition, identity.name);
  return { definition, location: identity, title, id: formatImportId(identity) };
}
