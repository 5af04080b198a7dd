import { trimmed } from '../../../text';

/**
 * The maximum length of a name in characters: it has to fit into a file name, with a prefix and an
 * extension.
 */
const LONGEST = 80;

/** Gives unique names, ignoring upper and lower case, as some file systems do. */
export class UniqueNames {
  readonly #taken = new Map<string, string>();
  readonly #separator: string;

  /**
   * @param separator the text between a name and the number that makes it unique.
   * @param taken names that are not given.
   */
  constructor(separator = '-', taken: readonly string[] = []) {
    this.#separator = separator;
    for (const name of taken) this.#taken.set(name.toLowerCase(), name);
  }

  /** All names that were taken, in this order. */
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
 * Joins parts of a name, in the letters that construct ids, Terraform addresses and files may have:
 * `acl-team-a-ops`.
 */
export function slug(...parts: readonly string[]): string {
  return parts
    .map((part) => trimmed(part.replace(/[^A-Za-z0-9_-]+/g, '-'), '-'))
    .filter((part) => part !== '')
    .join('-')
    .slice(0, LONGEST);
}

/** Joins parts of the name of a Terraform variable: `us_pki_signing_pin`. */
export function variableName(...parts: readonly string[]): string {
  return slug(...parts).replaceAll('-', '_');
}

/** Returns a name as a part of names in code: `usEast` for `us-east`. */
export function camelCase(name: string): string {
  return name.replace(/[^A-Za-z0-9]+(.?)/g, (_match, next: string) => next.toUpperCase());
}

/** Returns a name as a part of names of classes: `UsEast` for `us-east`. */
export function pascalCase(name: string): string {
  const camel = camelCase(name);
  return camel.charAt(0).toUpperCase() + camel.slice(1);
}

/** Returns the variable for the construct of a cluster: `usEastCluster`. */
export function handleName(cluster: string): string {
  return `${camelCase(cluster)}Cluster`;
}

/** Returns the member of an enumeration for a value: `HARD_MANDATORY` for `hard-mandatory`. */
export function memberName(value: string): string {
  return value.toUpperCase().replace(/[^A-Z0-9]/g, '_');
}
