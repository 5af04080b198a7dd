import type { Naming, Part, ResourceAddress } from '../app/declaration';
import { isDeclarable, type Declarable } from '../estate/declarable';
import type { AdoptedNamespace } from '../estate/adopted-namespace';

/** The facts that reading depends on. */
export interface AdoptReadOptions {
  /** Whether the policy `default` is adopted also as servers ship it. */
  readonly defaultPolicy: boolean;
  /** Whether the cluster is a secondary whose primary is adopted as well. */
  readonly replicated: boolean;
  /** Whether an object is managed already, so that it is not adopted. */
  readonly isManaged: (address: ResourceAddress) => boolean;
}

interface KindOf<Found> {
  /** In sentences: `managed keys`. */
  readonly title: string;
  /**
   * Whether secondaries receive all objects of this kind from their primary, where they are adopted
   * then.
   */
  readonly fromPrimary: boolean;
  /** Reads the objects in one place. */
  readonly read: (
    place: AdoptedNamespace,
    options: Pick<AdoptReadOptions, 'defaultPolicy' | 'replicated'>,
  ) => Promise<readonly Found[]>;
  /** The checks of a declaration of an object. A remark names each one that fails. */
  readonly declarable: (found: Found) => Declarable;
  readonly addressOf: (found: Found) => ResourceAddress;
  /** Declares the objects of one cluster. */
  readonly parts: (found: readonly Found[], naming: Naming) => readonly Part[];
}

/** A kind of object that can be adopted. */
export interface AdoptedKind extends Pick<KindOf<unknown>, 'title' | 'fromPrimary'> {
  /** Reads the objects of a cluster, and returns what declares them. */
  find(
    places: readonly AdoptedNamespace[],
    options: AdoptReadOptions,
  ): Promise<(naming: Naming) => readonly Part[]>;
}

/** Defines a kind of object by how it is read, and how it is declared. */
export function adoptedKind<Found>({
  title,
  fromPrimary,
  read,
  declarable,
  addressOf,
  parts,
}: KindOf<Found>): AdoptedKind {
  return {
    title,
    fromPrimary,
    async find(places, options) {
      const found = await Promise.all(
        places.map(async (place) => {
          const here = await read(place, options);
          const unmanaged = here.filter((each) => !options.isManaged(addressOf(each)));
          return unmanaged.filter((each) => isDeclarable(declarable(each), place));
        }),
      );
      return (naming) => parts(found.flat(), naming);
    },
  };
}
