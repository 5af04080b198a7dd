import {
  lintAclPolicy,
  parseAclPolicy,
  readAuditLine,
  renderAclPolicy,
  Uses,
  writePolicyFor,
} from '../../src/model';
import { findAclFault } from '../../src/model/acl';
import { countedWork } from '../support/counted-work';
import type { Bound } from './rows';

const times = (size: number, text: (index: number) => string) =>
  Array.from({ length: size }, (_, index) => text(index)).join('');
const block = (lines: string) => `path "a" {\n  capabilities = ["update"]\n  ${lines}\n}\n`;

function ofText(name: string, text: (size: number) => string, read: (text: string) => unknown): Bound {
  return {
    name,
    source: 'policy',
    sizes: [64, 256],
    growth: 1,
    work: (size) => {
      const made = text(size);
      return countedWork(() => read(made));
    },
  };
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
    'lintAclPolicy, of rules',
    (size) => times(size, (index) => `path "kv/data/a${index}/*" { capabilities = ["read"] }\n`),
    (text) => lintAclPolicy(text),
  ),
  ofText(
    'lintAclPolicy, of rules with expressions',
    (size) => times(size, (index) => `path "a${index}" {\n capabilities = \${x}\n}\n`),
    (text) => lintAclPolicy(text),
  ),
  ofText('findAclFault, of expressions', (size) => '${a}'.repeat(size), findAclFault),
  ofText('findAclFault, of an open block', (size) => `path "a" {\n${'# "{\n'.repeat(size)}`, findAclFault),
  {
    name: 'readAuditLine',
    source: 'audit log',
    sizes: [64, 8_192],
    growth: 1,
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
