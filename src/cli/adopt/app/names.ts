import { trimmed } from '../../../text';

/** Longer names are cut: they have to fit into a file name, with what stands around them. */
const LONGEST = 80;

/** Gives unique names, ignoring upper and lower case, as some file systems do. */
export class UniqueNames {
  readonly #taken = new Map<string, string>();
  readonly #separator: string;

  /**
   * @param separator between a name and the number that makes it unique.
   * @param taken names that are not given.
   */
  constructor(separator = '-', taken: readonly string[] = []) {
    this.#separator = separator;
    for (const name of taken) this.#taken.set(name.toLowerCase(), name);
  }

  /** All that were taken, in that order. */
  get all(): readonly string[] {
    return [...this.#taken.values()];
  }

  take(wanted: string): string {
    let name = wanted;
    for (let count = 2; this.#taken.has(name.toLowerCase()); count += 1)
      name = wanted + this.#separator + count;
    this.#taken.set(name.toLowerCase(), name);
    return name;
  }
}

/**
 * Parts of a name in the letters that construct ids, Terraform addresses and files may have:
 * `acl-team-a-ops`.
 */
export function slug(...parts: readonly string[]): string {
  return parts
    .map((part) => trimmed(part.replace(/[^A-Za-z0-9_-]+/g, '-'), '-'))
    .filter((part) => part !== '')
    .join('-')
    .slice(0, LONGEST);
}

/** Parts of the name of a Terraform variable: `us_pki_signing_pin`. */
export function variableName(...parts: readonly string[]): string {
  return slug(...parts).replaceAll('-', '_');
}

/** `us-east` as a part of names in code: `usEast`. */
export function camelCase(name: string): string {
  return name.replace(/[^A-Za-z0-9]+(.?)/g, (_match, next: string) => next.toUpperCase());
}

/** `us-east` as a part of names of classes: `UsEast`. */
export function pascalCase(name: string): string {
  const camel = camelCase(name);
  return camel.charAt(0).toUpperCase() + camel.slice(1);
}

/** The variable for the construct of a cluster: `usEastCluster`. */
export function handleName(cluster: string): string {
  return `${camelCase(cluster)}Cluster`;
}

/** A value as the members of enumerations are called: `hard-mandatory` is `HARD_MANDATORY`. */
export function memberName(value: string): string {
  return value.toUpperCase().replace(/[^A-Z0-9]/g, '_');
}
