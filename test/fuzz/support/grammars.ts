import type { Random } from '../../model/support/random';
import { type Grammar, type Node, node, type Tree } from './trees';

const list = (parts: readonly string[]) => `[${parts.map((part) => JSON.stringify(part)).join(', ')}]`;
const joined = (parts: readonly string[]) => parts.join('');

function some(random: Random, most: number, part: (random: Random) => Tree): readonly Tree[] {
  return Array.from({ length: 1 + random.below(most) }, () => part(random));
}

const segment = (random: Random) =>
  random.pick(['a', 'b', 'kv', '+', '', 'a*', '{{identity.entity.id}}', '{{identity.entity.id}}a']) +
  (random.below(3) === 0 ? String(random.below(1_000)) : '');
const path = (random: Random) => node('path', some(random, 4, segment));
/** There are only a few letters, so that globs overlap often. */
const letters = (random: Random) =>
  random.pick(['*', 'a', 'b', 'ab', ',', ' ', 'ba', String(random.below(100))]);
const glob = (random: Random) => node('glob', some(random, 4, letters));
const globs = (random: Random) => node('globs', [random.pick(['p', 'q', '*']), ...some(random, 3, glob)]);
const factor = (random: Random) => String(random.below(100));
const rule = (random: Random) =>
  node('rule', [
    path(random),
    random.pick(['read', 'update', 'list', 'deny', 'sudo']),
    random.pick(['allowed', 'denied']),
    node('parameters', random.below(2) === 0 ? [] : some(random, 2, globs)),
    node('factors', random.below(6) === 0 ? some(random, 2, factor) : []),
  ]);

/** ACL policies, before and after a change, and the path of a request. */
export const ACL: Grammar = {
  change: { write: (parts) => JSON.stringify(parts) },
  policy: { part: rule, write: joined },
  rule: {
    write: ([path = '', capability, kind, parameters, factors]) =>
      `path ${JSON.stringify(`${path}${path.endsWith('+') ? '' : '*'}`.replace(/\+\*|\*(?=.)/g, ''))} {\n capabilities = ["${capability}"]\n` +
      `${parameters === '' ? '' : ` ${kind}_parameters = {\n${parameters} }\n`}` +
      `${factors === '' ? '' : ` control_group = {\n${factors} }\n`}}\n`,
  },
  path: { part: segment, write: (parts) => parts.join('/') },
  parameters: { part: globs, write: joined },
  globs: { part: glob, write: ([name, ...values]) => ` ${JSON.stringify(name)} = ${list(values)}\n` },
  glob: { part: letters, write: joined },
  factors: {
    part: factor,
    write: (parts) =>
      parts
        .map((name) => `factor "f${name}" {\n identity {\n group_names = ["g"]\n approvals = 1\n }\n }\n`)
        .join(''),
  },
};

export const aclPolicy = (random: Random) => node('policy', some(random, 3, rule));

export const aclChange = (random: Random) =>
  node('change', [
    node('policy', some(random, 3, rule)),
    node('policy', some(random, 3, rule)),
    node('path', some(random, 24, segment)),
  ]);

const NAMES = [
  'a',
  'b',
  'request.path',
  '"a"',
  '1',
  'true',
  'undefined',
  '[1, 2]',
  'length("ab")',
  '{"k": 1}',
];
const OPERATORS = ['and', 'or', 'xor', 'is', 'is not', 'in', 'contains', '+', '*', '<', 'matches', 'else'];
const name = (random: Random) => `${random.pick(['a', 'b', 'name'])}${random.below(1_000)}`;
const operand = (random: Random): Tree =>
  random.below(3) > 0
    ? random.pick([...NAMES, name(random)])
    : node(random.pick(['sum', 'group', 'all', 'elements']), some(random, 3, operand));
const statement = (random: Random): Tree =>
  node(random.pick(['assignment', 'rules', 'loop', 'function', 'comment']), some(random, 3, operand));

/** Sentinel policies. */
export const SENTINEL: Grammar = {
  policy: { part: statement, write: (parts) => `a = 1\nb = [1]\n${joined(parts)}main = rule { true }\n` },
  assignment: { part: operand, write: (parts) => `a = ${parts.join(' and ') || '1'}\n` },
  rules: { part: name, write: (parts) => parts.map((part) => `${part} = rule { x${part} }; `).join('') },
  loop: { part: operand, write: (parts) => `for [${parts.join(', ')}] as v {\n append(b, v)\n}\n` },
  function: { part: operand, write: (parts) => `f = func(x) {\n return [${parts.join(', ')}, x]\n}\n` },
  comment: { part: operand, write: (parts) => parts.map((part) => `# ${part} /* " \n`).join('') },
  sum: {
    part: operand,
    write: (parts) => parts.join(` ${OPERATORS[parts.length % OPERATORS.length]} `) || '1',
  },
  group: { part: operand, write: (parts) => `(${parts.join(' or ') || 'true'})` },
  all: { part: operand, write: (parts) => `(all [${parts.join(', ')}] as x { x is 1 })` },
  elements: { part: operand, write: (parts) => `[${parts.join(', ')}]` },
};

export const sentinelPolicy = (random: Random) => node('policy', some(random, 4, statement));

const logged = (random: Random) =>
  random.pick(['a', 'b', 'kv', '', 'hmac-sha256:ab', '+', String(random.below(1_000)), '{{']);
const entry = (random: Random) =>
  node('entry', [
    node('path', some(random, 4, logged)),
    random.pick(['read', 'update', 'list', 'no']),
    node('data', some(random, 2, logged)),
  ]);

/** Lines of audit logs. */
export const AUDIT_LOG: Grammar = {
  log: { part: entry, write: (parts) => parts.join('\n') },
  entry: {
    write: ([path, operation, data]) =>
      `{"type":"request","auth":{"policies":["app"]},"request":{"operation":"${operation}","path":${JSON.stringify(path)},"data":{${data}}}}`,
  },
  path: { part: logged, write: (parts) => parts.join('/') },
  data: {
    part: logged,
    write: (parts) => parts.map((part, index) => `"p${index}":${JSON.stringify(part)}`).join(','),
  },
};

export const auditLog = (random: Random) => node('log', some(random, 3, entry));

const word = (random: Random) => random.pick(['a', 'kv/', '"', ' ', '{{', '*', String(random.below(1_000))]);
const leaf = (random: Random) => node('text', some(random, 3, word));

/** Makes a value of JSON whose texts, lists and objects can grow. */
function valueTree(value: unknown): Tree {
  if (typeof value === 'string') return node('text', [value]);
  if (Array.isArray(value)) return node('list', value.map(valueTree));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return node('object', Object.entries(value).map(memberTree));
}

function memberTree([name, value]: readonly [string, unknown]): Node {
  return node('member', [name, valueTree(value)]);
}

/** Creates a JSON text, which {@link ANSWERS} writes and changes. */
export const jsonTree = (value: object) => valueTree(value) as Node;

/** Answers of servers by request, in JSON. Repeated members of an object get distinct names. */
export const ANSWERS: Grammar = {
  answers: { write: (parts) => `{${parts.join(',')}}` },
  answer: {
    write: ([request, status, body]) =>
      `${JSON.stringify(request)}:{"status":${status},"body":${JSON.stringify(body)}}`,
  },
  text: { part: word, write: (parts) => JSON.stringify(joined(parts)) },
  list: { part: leaf, write: (parts) => `[${parts.join(',')}]` },
  object: {
    part: (random) => node('member', [`f${random.below(1_000)}`, leaf(random)]),
    write: (parts) =>
      `{${parts.map((part, index) => (parts.indexOf(part) < index ? part.replace('"', `"${index}`) : part)).join(',')}}`,
  },
  member: { write: ([name, value]) => `${JSON.stringify(name)}:${value}` },
};

export const answersTree = (answers: Readonly<Record<string, { status: number; body: string }>>) =>
  node(
    'answers',
    Object.entries(answers).map(([request, { status, body }]) =>
      node('answer', [request, String(status), body === '' ? '' : valueTree(JSON.parse(body))]),
    ),
  );

const terraform = (random: Random) =>
  random.pick(['"a"', '"${var.x}"', '${', '"', '}', '{', '[1]', '# a\n', '/* ', '<<A\nb\nA\n', 'file("a")']);
const argument = (random: Random) =>
  node('argument', [random.pick(['policy', 'name', 'a']), ...some(random, 3, terraform)]);

/** Files of Terraform with policies. */
export const TERRAFORM: Grammar = {
  file: {
    part: (random) => node('block', [random.pick(['vault_policy', 'a']), ...some(random, 3, argument)]),
    write: joined,
  },
  block: {
    part: argument,
    write: ([type, ...lines]) => `resource "${type}" "a" {\n${joined(lines)}}\n`,
  },
  argument: { part: terraform, write: ([name, ...parts]) => `  ${name} = ${joined(parts)}\n` },
};

export const terraformFile = (random: Random) => node('file', some(random, 3, TERRAFORM.file!.part!));
