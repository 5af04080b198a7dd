import {
  lintAclPolicy,
  lintTogether,
  parseAclPolicy,
  readAuditLine,
  renderAclPolicy,
  upgradeImpacts,
  Uses,
  writePolicyFor,
} from '../../src/model';
import { findAclFault } from '../../src/model/acl';
import { misplacedJson } from '../../src/model/acl/lint/json-shape';
import { countedWork } from '../support/counted-work';
import { type Bound, lists, outcomeOf } from './rows';

const times = (size: number, text: (index: number) => string) =>
  Array.from({ length: size }, (_, index) => text(index)).join('');
const block = (lines: string) => `path "a" {\n  capabilities = ["update"]\n  ${lines}\n}\n`;

function ofText(
  name: string,
  text: (size: number) => string,
  read: (text: string) => unknown,
  options: Partial<Pick<Bound, 'sizes' | 'nested' | 'deepest'>> = {},
): Bound {
  return {
    name,
    source: 'policy',
    sizes: [64, 256],
    growth: 1,
    ...options,
    work: (size) => {
      const made = text(size);
      return countedWork(() => read(made));
    },
  };
}

/** Returns a rule with a value that has the given number of levels. */
function withLevels(levels: number): string {
  return block(`allowed_parameters = { p = ${lists(levels, '"x"')} }`);
}

function impacts(text: string): unknown {
  return upgradeImpacts([{ name: 'it', policy: parseAclPolicy(text) }], '1.18', '2.2');
}

function auditLine(path: string): string {
  const request = { operation: 'read', path };
  return JSON.stringify({ type: 'request', auth: { policies: ['app'] }, request });
}

function usesOf(size: number): Uses {
  const uses = new Uses();
  for (let index = 0; index < size; index++) {
    const read = readAuditLine(auditLine(`kv/${index}/a`));
    if (typeof read === 'object') uses.add(read);
  }
  return uses;
}

export const ACL_TEXT_BOUNDS: readonly Bound[] = [
  ofText(
    'parseAclPolicy, of rules',
    (size) => times(size, (index) => `path "a${index}" { policy = "read" }\n`),
    parseAclPolicy,
    // The value must be a list, so the input has at least one level.
    { nested: (levels) => parseAclPolicy(withLevels(levels + 1)), deepest: 498 },
  ),
  ofText(
    'parseAclPolicy, of an argument that is repeated',
    (size) => block(times(size, (index) => `allowed_parameters = { p = ["a${index}"] }\n`)),
    parseAclPolicy,
  ),
  ofText(
    'parseAclPolicy, of factors of a control group',
    (size) => {
      const factors = times(
        size,
        (index) => `factor "f${index}" {\n identity {\n group_names = ["g"]\n approvals = 1\n }\n }\n`,
      );
      return block(`control_group = {\n ${factors} }`);
    },
    parseAclPolicy,
  ),
  ofText(
    'parseAclPolicy, of control groups that add to one another',
    (size) =>
      block(
        times(
          size,
          (index) =>
            `control_group = {\n factor "f${index}" {\n identity {\n group_names = ["g"]\n approvals = 1\n }\n }\n }\n`,
        ),
      ),
    parseAclPolicy,
  ),
  ofText(
    'parseAclPolicy, of one factor in many control groups',
    (size) =>
      block(
        times(
          size,
          (index) =>
            `control_group = {\n factor = {\n f = {\n controlled_capabilities = ["update"]\n identity = {\n group_names = ["g${index}"]\n approvals = 1\n }\n }\n }\n }\n`,
        ),
      ),
    parseAclPolicy,
  ),
  ofText(
    'parseAclPolicy, of keys with labels',
    (size) =>
      block(`allowed_parameters = { p = [{ ${times(size, (index) => `k "l${index}" { a = 1 }\n`)} }] }`),
    parseAclPolicy,
  ),
  ofText(
    'parseAclPolicy, of keys in two cases',
    (size) =>
      block(`allowed_parameters = { p = [{ ${times(size, (index) => `k${index} = 1\nK${index} = 1\n`)} }] }`),
    parseAclPolicy,
  ),
  {
    name: 'parseAclPolicy, of keys with labels that each of many levels has in two cases',
    source: 'policy',
    sizes: [4, 16],
    growth: 1,
    work: (size) => {
      const level = (left: number): string =>
        left === 0 ? 'a = 1' : `"a" "x" {\n${level(left - 1)}\n}\n"A" "x" { }`;
      const text = block(`allowed_parameters = { p = [{\n${level(size)}\n}] }`);
      return countedWork(() => outcomeOf(() => parseAclPolicy(text)));
    },
  },
  ofText(
    'upgradeImpacts, of rules with one template',
    (size) => times(size, (index) => `path "a${index}/{{identity.entity.name}}" { policy = "read" }\n`),
    impacts,
  ),
  ofText(
    'upgradeImpacts, of rules with a template each',
    (size) =>
      times(size, (index) => `path "a${index}/{{identity.entity.metadata.m${index}}}" { policy = "read" }\n`),
    impacts,
  ),
  ofText(
    'lintAclPolicy, of rules',
    (size) => times(size, (index) => `path "kv/data/a${index}/*" { capabilities = ["read"] }\n`),
    (text) => lintAclPolicy(text),
    { nested: (levels) => lintAclPolicy(withLevels(levels)), deepest: Infinity },
  ),
  ofText(
    'lintAclPolicy, of rules that are redundant',
    (size) =>
      `${times(size, (index) => `path "kv/a${index}" { policy = "read" }\n`)}path "kv/*" { policy = "read" }`,
    (text) => lintAclPolicy(text),
  ),
  ofText(
    'lintTogether, of rules that two policies have',
    (size) => times(size, (index) => `path "kv/data/a${index}/*" { policy = "read" }\n`),
    (text) => {
      const policy = { policy: parseAclPolicy(text), placeOf: String };
      return lintTogether([policy, policy], true);
    },
  ),
  ofText(
    'lintAclPolicy, of rules with expressions',
    (size) => times(size, (index) => `path "a${index}" {\n capabilities = \${x}\n}\n`),
    (text) => lintAclPolicy(text),
  ),
  ofText('findAclFault, of expressions', (size) => '${a}'.repeat(size), findAclFault, {
    nested: (levels) => findAclFault(`${'${'.repeat(levels)}a${'}'.repeat(levels)}${withLevels(levels)}`),
    deepest: Infinity,
  }),
  ofText(
    'misplacedJson, of rules',
    (size) => `{"path": {${times(size, (index) => `"a${index}/*": {},`)} "b/*": 5}}`,
    misplacedJson,
    {
      sizes: [512, 2_048],
      nested: (levels) => misplacedJson(`{"path": ${lists(levels)}}`),
      deepest: Infinity,
    },
  ),
  ofText('findAclFault, of an open block', (size) => `path "a" {\n${'# "{\n'.repeat(size)}`, findAclFault),
  {
    name: 'readAuditLine',
    source: 'audit log',
    sizes: [64, 8_192],
    growth: 1,
    nested: (levels) => {
      const request = `{"operation":"read","path":"a","data":{"a":${lists(levels)}}}`;
      const line = `{"type":"request","auth":{"policies":["app"]},"request":${request}}`;
      if (readAuditLine(line) === 'unreadable') throw new Error('it is refused');
    },
    deepest: 997,
    work: (size) => {
      const line = auditLine('a/'.repeat(size));
      return countedWork(() => readAuditLine(line));
    },
  },
  {
    name: 'writePolicyFor, merging paths',
    source: 'audit log',
    sizes: [64, 256],
    growth: 1,
    work: (size) => {
      const uses = usesOf(size).list();
      return countedWork(() => writePolicyFor(uses, [], { mergeFrom: 2 }));
    },
  },
  {
    name: 'renderAclPolicy',
    source: 'audit log',
    sizes: [64, 256],
    growth: 1,
    work: (size) => {
      const rules = Array.from({ length: size }, (_, index) => ({
        path: `a${index}`,
        capabilities: ['read'] as const,
      }));
      return countedWork(() => renderAclPolicy(rules));
    },
  },
];
