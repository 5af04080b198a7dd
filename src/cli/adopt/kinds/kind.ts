import {
  formatImportId,
  nameField,
  type BackedObject,
  type Backend,
  type FieldValues,
  type ObjectDefinition,
  type ObjectIdentity,
} from '../../../model';
import { CodeExpression, type CodeProperties } from '../app/code';
import {
  resourceType,
  secretVariables,
  type Declaration,
  type Naming,
  type Part,
  type ResourceAddress,
  type SecretVariables,
} from '../app/declaration';
import { slug } from '../app/names';
import type { AdoptedNamespace } from '../estate/adopted-namespace';
import { isDeclarable } from '../estate/declarable';
import { fieldArguments, placeArguments, secretArguments } from '../hcl/arguments';
import { HclBlock, type HclBody } from '../hcl/hcl';

/** The facts that reading depends on. */
export interface AdoptReadOptions {
  /** Whether the policy `default` is adopted even if it is the one that servers ship. */
  readonly defaultPolicy: boolean;
  /** Whether the cluster is a secondary whose primary is adopted as well. */
  readonly replicated: boolean;
  /** Whether an object is managed already, so that it is not adopted. */
  readonly isManaged: (address: ResourceAddress) => boolean;
}

/** An object as it was found on a cluster. */
export interface AdoptedObject {
  readonly identity: ObjectIdentity;
  /** The HSM, storage or type of device. Absent for kinds without a backend. */
  readonly backend?: Backend;
  /** The values of the fields, without the name, the type of the backend, and secrets. */
  readonly fields: FieldValues;
  /** The fields in which the server holds a secret. The secrets themselves are not kept. */
  readonly secrets?: readonly string[];
  /** The other fields that the server does not return. */
  readonly hidden?: readonly string[];
}

/** The names in a declaration: of its construct, its stack, and the variables of its secrets. */
interface DeclaredNames {
  readonly id: string;
  readonly stack: string;
  readonly variables: SecretVariables;
}

/** The parts of a declaration that each kind writes in its own way. */
interface OwnParts extends Pick<Declaration, 'files'> {
  /** The props besides the cluster and the namespace. */
  readonly props: CodeProperties;
  /** The arguments that are not written like their fields. */
  readonly arguments?: HclBody;
}

type KindDefinition = ObjectDefinition & Partial<Pick<BackedObject, 'typeField'>>;

interface KindOf<Found extends AdoptedObject> {
  readonly definition: KindDefinition;
  /** The title within sentences: `managed keys`. */
  readonly title: string;
  /** The prefix of the ids of the constructs: `key`. */
  readonly prefix: string;
  /** The class of the constructs: `ManagedKey`. */
  readonly construct: string;
  /**
   * Whether secondaries receive all objects of this kind from their primary, so that these are
   * adopted from the primary.
   */
  readonly fromPrimary: boolean;
  /** Reads the objects in one namespace. */
  readonly read: (
    place: AdoptedNamespace,
    options: Pick<AdoptReadOptions, 'defaultPolicy' | 'replicated'>,
  ) => Promise<readonly Found[]>;
  readonly declare: (found: Found, names: DeclaredNames) => OwnParts;
  /** Returns the name in import ids. Default: the name of the object. */
  readonly importName?: (found: Found) => string;
  /** Returns the body of the write that makes the object. Default: its values. */
  readonly body?: (found: Found, values: FieldValues) => FieldValues;
}

/** A kind of object that can be adopted. */
export interface AdoptedKind {
  /** The title within sentences: `managed keys`. */
  readonly title: string;
  readonly fromPrimary: boolean;
  /** Reads the objects of a cluster, and returns a function that declares them. */
  find(
    places: readonly AdoptedNamespace[],
    options: AdoptReadOptions,
  ): Promise<(naming: Naming) => readonly Part[]>;
}

/** Defines a kind of object by how it is read, and how it is declared. */
export function adoptedKind<Found extends AdoptedObject>(kind: KindOf<Found>): AdoptedKind {
  const { definition, title, fromPrimary } = kind;
  return {
    title,
    fromPrimary,
    async find(places, options) {
      const found = await Promise.all(
        places.map(async (place) => {
          const here = await kind.read(place, options);
          const unmanaged = here.filter((each) => !options.isManaged(addressOf(kind, each)));
          return unmanaged.filter((each) => {
            const { identity, backend, secrets, hidden } = each;
            const { name } = identity;
            const values = { ...valuesOf(definition, each), [nameField(definition)]: name, name };
            return isDeclarable(
              { definition: backend?.definition ?? definition, values, secrets, hidden },
              place,
            );
          });
        }),
      );
      return (naming) => [{ title, declarations: found.flat().map((each) => declare(kind, each, naming)) }];
    },
  };
}

function addressOf<Found extends AdoptedObject>(
  { definition, importName }: KindOf<Found>,
  found: Found,
): ResourceAddress {
  const { identity } = found;
  const name = importName?.(found) ?? identity.name;
  return { resource: resourceType(definition), importId: formatImportId({ ...identity, name }) };
}

/** Returns the values of an object's fields with the type of its backend. */
function valuesOf({ typeField }: KindDefinition, { fields, backend }: AdoptedObject): FieldValues {
  return { ...fields, ...(typeField !== undefined && { [typeField]: backend?.type }) };
}

function declare<Found extends AdoptedObject>(
  kind: KindOf<Found>,
  found: Found,
  naming: Naming,
): Declaration {
  const { definition, prefix, construct } = kind;
  const { identity, backend, fields, secrets = [] } = found;
  const { cluster, namespace, name } = identity;
  const variables = secretVariables(identity, secrets, naming);
  const id = naming.ids.take(slug(prefix, namespace, name));
  const { props, arguments: own, ...files } = kind.declare(found, { id, stack: naming.stack, variables });
  const values = valuesOf(definition, found);
  return {
    id,
    construct,
    props: { cluster: CodeExpression.local('cluster'), namespace: namespace || undefined, ...props },
    arguments: {
      ...placeArguments(definition, identity),
      ...fieldArguments(definition.fields, fields),
      ...(backend && {
        [backend.block]: new HclBlock({
          ...fieldArguments(backend.fields, fields),
          ...secretArguments(variables),
        }),
      }),
      ...own,
    },
    ...addressOf(kind, found),
    write: {
      cluster,
      namespace,
      path: `${(backend?.definition ?? definition).path}/${name}`,
      body: kind.body?.(found, values) ?? values,
      secrets,
    },
    ...files,
  };
}
