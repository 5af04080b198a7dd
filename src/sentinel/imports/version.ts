import { textArgument, unexpected } from '../values/arguments';
import { decimalInt, LARGEST_INT, shown } from '../values/convert';
import { NativeFault, NativeFunction, ImportedObject, Undefined, type Value } from '../values/value';

interface Version {
  readonly numbers: readonly bigint[];
  readonly prerelease: string;
  readonly metadata: string;
  /** How many numbers the text contains. */
  readonly written: number;
}

export const VERSION: Readonly<Record<string, Value>> = {
  new: new NativeFunction('version.new', [1, 1], ([value]) => {
    if (value instanceof Undefined) return value;
    return versionObject(versionOf(value));
  }),
};

type Comparison = (order: number) => Value;

const COMPARISONS: readonly (readonly [readonly string[], Comparison])[] = [
  [['greater_than', 'gt'], (order) => order > 0],
  [['greater_than_or_equals', 'gte'], (order) => order >= 0],
  [['less_than', 'lt'], (order) => order < 0],
  [['less_than_or_equals', 'lte'], (order) => order <= 0],
  [['equals', 'eq'], (order) => order === 0],
  [['compare', 'cmp'], (order) => BigInt(order)],
];

function versionObject(version: Version): ImportedObject {
  const methods: Record<string, NativeFunction> = {};
  for (const [names, decide] of COMPARISONS) {
    for (const name of names) {
      methods[name] = method(name, (value) => decide(compareVersions(version, versionOf(value))));
    }
  }
  for (const name of ['satisfies', 'sat']) {
    methods[name] = method(name, (value) => satisfies(version, textArgument(`version.${name}`, value)));
  }
  const [major = 0n, minor = 0n, patch = 0n] = version.numbers;
  const entries: [string, Value][] = [
    ['major', major],
    ['minor', minor],
    ['patch', patch],
    ['prerelease', version.prerelease],
    ['metadata', version.metadata],
    ['version', render(version)],
  ];
  return new ImportedObject(entries, methods, version);
}

function method(name: string, run: (value: Value | undefined) => Value): NativeFunction {
  return new NativeFunction(`version.${name}`, [1, 1], ([value]) =>
    value instanceof Undefined ? value : run(value),
  );
}

function render({ numbers, prerelease, metadata }: Version): string {
  return `${numbers.join('.')}${prerelease && `-${prerelease}`}${metadata && `+${metadata}`}`;
}

function versionOf(value: Value | undefined): Version {
  if (typeof value === 'string') return parseVersion(value);
  const text = value instanceof ImportedObject ? value.get('version') : undefined;
  if (typeof text === 'string') return parseVersion(text);
  throw unexpected('version', 'a version', value);
}

const VERSION_TEXT =
  /^v?([0-9]+(?:\.[0-9]+)*)(?:-([0-9A-Za-z~-]+(?:\.[0-9A-Za-z~-]+)*))?(?:\+([0-9A-Za-z~-]+(?:\.[0-9A-Za-z~-]+)*))?$/;

function parseVersion(text: string): Version {
  const found = VERSION_TEXT.exec(text.trim());
  if (!found) throw new NativeFault(`version: ${shown(text)} is not a valid version`);
  const numbers = (found[1] ?? '').split('.').map((number) => {
    const value = decimalInt(number);
    if (value === undefined)
      throw new NativeFault(
        `version: ${shown(text)} is not a valid version: a number is larger than ${LARGEST_INT}`,
      );
    return value;
  });
  const written = numbers.length;
  while (numbers.length < 3) numbers.push(0n);
  return { numbers, prerelease: found[2] ?? '', metadata: found[3] ?? '', written };
}

function compareVersions(a: Version, b: Version): number {
  for (let index = 0; index < Math.max(a.numbers.length, b.numbers.length); index++) {
    const [left, right] = [a.numbers[index] ?? 0n, b.numbers[index] ?? 0n];
    if (left !== right) return left < right ? -1 : 1;
  }
  return comparePrereleases(a.prerelease, b.prerelease);
}

function comparePrereleases(a: string, b: string): number {
  if (a === b) return 0;
  if (a === '') return 1;
  if (b === '') return -1;
  const [left, right] = [a.split('.'), b.split('.')];
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const order = comparePrereleaseParts(left[index], right[index]);
    if (order !== 0) return order;
  }
  return 0;
}

function comparePrereleaseParts(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0;
  if (a === undefined) return -1;
  if (b === undefined) return 1;
  // Numbers of more than 64 bits are texts, as in the Go library.
  const [numberA, numberB] = [decimalInt(a), decimalInt(b)];
  if (numberA !== undefined && numberB !== undefined)
    return numberA < numberB ? -1 : numberA > numberB ? 1 : 0;
  if (numberA !== undefined || numberB !== undefined) return numberA !== undefined ? -1 : 1;
  return a < b ? -1 : 1;
}

const CONSTRAINT = /^(=|!=|>|<|>=|<=|~>)?\s*([^\s<>=!~]+)$/;

/** Whether a version satisfies all constraints, which are separated by commas. */
function satisfies(version: Version, constraints: string): boolean {
  return constraints.split(',').every((constraint) => {
    const found = CONSTRAINT.exec(constraint.trim());
    if (!found) throw new NativeFault(`version: ${shown(constraint.trim())} is not a valid constraint`);
    return holds(version, found[1] ?? '=', parseVersion(found[2] ?? ''));
  });
}

function holds(version: Version, operator: string, wanted: Version): boolean {
  const order = compareVersions(version, wanted);
  if (operator === '=') return order === 0;
  if (operator === '!=') return order !== 0;
  if (!arePrereleasesComparable(version, wanted)) return false;
  switch (operator) {
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
  }
  return order >= 0 && sharesLeadingNumbers(version, wanted);
}

/** Whether the pre-releases of two versions can be compared: only those of the same version can. */
function arePrereleasesComparable(version: Version, wanted: Version): boolean {
  if (version.prerelease === '') return true;
  if (wanted.prerelease === '') return false;
  return version.numbers.every((number, index) => number === wanted.numbers[index]);
}

/** Whether a version satisfies `~> 1.2.3`, in which the last number may be greater. */
function sharesLeadingNumbers(version: Version, wanted: Version): boolean {
  const fixed = Math.max(1, wanted.written - 1);
  return wanted.numbers.slice(0, fixed).every((number, index) => number === version.numbers[index]);
}
