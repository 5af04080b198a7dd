import { formatImportId, objectTitle, type ObjectDefinition, type ObjectIdentity } from '../../model';

/** The subject of a request. */
export interface Subject {
  readonly definition: Pick<ObjectDefinition, 'title' | 'edition' | 'restricted'>;
  readonly location: Pick<ObjectIdentity, 'cluster' | 'namespace'>;
  /** How messages call it: `ACL policy "ops"`. */
  readonly title: string;
}

/** One object, as requests and messages speak of it. */
export interface ObjectSubject extends Subject {
  readonly definition: ObjectDefinition;
  /** Its import id in the full form. */
  readonly id: string;
}

/** The subject for requests and messages about an object of that identity. */
export function subjectOf(definition: ObjectDefinition, identity: ObjectIdentity): ObjectSubject {
  const title = objectTitle(definition, identity.name);
  return { definition, location: identity, title, id: formatImportId(identity) };
}
