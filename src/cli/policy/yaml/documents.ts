import {
  Composer,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  Parser,
  Scalar,
  visit,
  type CST,
  type Document,
  type YAMLMap,
} from 'yaml';
import type { TextPosition } from '../../../model';

/** The text of a policy in a YAML file, with its position. */
export interface PolicyScalar {
  readonly name: string;
  readonly text: string;
  /** The position of the text, or of the sign in front of it. */
  readonly start: TextPosition;
  /** The text as it is written in the file. */
  readonly written: string;
  /** Whether it is a literal block, which keeps its lines. */
  readonly isBlock: boolean;
}

const VAULT_API = /^vault\.banzaicloud\.com\//;
const OPERATOR_API = /^redhatcop\.redhat\.io\//;

/** The maximum depth: Kubernetes and the tools use no deeper values. */
const DEEPEST = 100;

/**
 * Finds the texts of policies in a YAML text of one or more documents.
 *
 * @throws Error if it is not YAML.
 */
export function placesIn(source: string): readonly PolicyScalar[] {
  const lines = new LineCounter();
  const tokens = [...new Parser(lines.addNewLine).parse(source)];
  checkDepth(tokens);
  const composer = new Composer({ uniqueKeys: false, logLevel: 'silent', stringKeys: true });
  return [...composer.compose(tokens)].flatMap((document) => {
    const [error] = document.errors;
    if (error) {
      const { line, col } = lines.linePos(error.pos[0]);
      throw new Error(`it is not YAML: ${error.message} (line ${line}, column ${col})`);
    }
    return new PolicyDocument(document, source, lines).policies();
  });
}

/**
 * Refuses values that are nested too deeply, because the library would compose them by recursion.
 */
function checkDepth(tokens: readonly CST.Token[]): void {
  const waiting = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { token, depth } = next;
    if (depth > DEEPEST) throw new Error(`it has more than ${DEEPEST} levels`);
    const parts =
      'items' in token
        ? token.items.flatMap(({ key, value }) => [key, value])
        : token.type === 'document'
          ? [token.value]
          : [];
    for (const part of parts) if (part) waiting.push({ token: part, depth: depth + 1 });
  }
}

class PolicyDocument {
  readonly #root: unknown;
  readonly #source: string;
  readonly #lines: LineCounter;
  /** The nodes by anchor. The library would search the whole document for each alias. */
  readonly #anchors = new Map<string, unknown>();

  constructor(document: Document, source: string, lines: LineCounter) {
    this.#root = document.contents;
    this.#source = source;
    this.#lines = lines;
    visit(document, {
      Node: (_key, node) => {
        if (!isAlias(node) && node.anchor !== undefined) this.#anchors.set(node.anchor, node);
      },
    });
  }

  policies(): readonly PolicyScalar[] {
    return this.#ofObject(this.#root);
  }

  #ofObject(node: unknown): readonly PolicyScalar[] {
    const object = this.#map(node);
    if (!object) return [];
    const version = this.#text(object, 'apiVersion') ?? '';
    const kind = this.#text(object, 'kind');
    const spec = this.#map(this.#entry(object, 'spec'));
    if (kind === 'Policy' && OPERATOR_API.test(version)) return spec ? this.#ofOperator(object, spec) : [];
    if (kind === 'Vault' && VAULT_API.test(version)) {
      return spec ? this.#ofConfiguration(this.#map(this.#entry(spec, 'externalConfig'))) : [];
    }
    return kind === undefined ? this.#ofConfiguration(object) : [];
  }

  /** Returns the policy in `spec.policy`, with the name in `spec.name` or that of the resource. */
  #ofOperator(object: YAMLMap, spec: YAMLMap): readonly PolicyScalar[] {
    if ((this.#text(spec, 'type') ?? 'acl') !== 'acl') return [];
    const metadata = this.#map(this.#entry(object, 'metadata'));
    const name = this.#text(spec, 'name') ?? (metadata && this.#text(metadata, 'name')) ?? 'policy';
    return this.#placeOf(name, this.#scalar(spec, 'policy'));
  }

  /** Returns the policies in the list `policies`, whose elements have `name` and `rules`. */
  #ofConfiguration(configuration: YAMLMap | undefined): readonly PolicyScalar[] {
    const list = configuration && this.#resolved(this.#entry(configuration, 'policies'));
    if (!isSeq(list)) return [];
    return list.items.flatMap((item) => {
      const policy = this.#map(item);
      return policy
        ? this.#placeOf(this.#text(policy, 'name') ?? 'policy', this.#scalar(policy, 'rules'))
        : [];
    });
  }

  #resolved(node: unknown): unknown {
    return isAlias(node) ? this.#anchors.get(node.source) : node;
  }

  #map(node: unknown): YAMLMap | undefined {
    const found = this.#resolved(node);
    return isMap(found) ? found : undefined;
  }

  #entry({ items }: YAMLMap, key: string): unknown {
    return items.find((each) => isScalar(each.key) && each.key.value === key)?.value;
  }

  #scalar(map: YAMLMap, key: string): Scalar<string> | undefined {
    const found = this.#resolved(this.#entry(map, key));
    return isScalar(found) && typeof found.value === 'string' ? (found as Scalar<string>) : undefined;
  }

  #text(map: YAMLMap, key: string): string | undefined {
    return this.#scalar(map, key)?.value;
  }

  #placeOf(name: string, scalar: Scalar<string> | undefined): readonly PolicyScalar[] {
    const [start, end] = scalar?.range ?? [];
    if (!scalar || start === undefined || end === undefined) return [];
    const { line, col } = this.#lines.linePos(start);
    return [
      {
        name: name.toLowerCase(),
        text: scalar.value,
        start: { line, column: col },
        written: this.#source.slice(start, end),
        isBlock: scalar.type === Scalar.BLOCK_LITERAL,
      },
    ];
  }
}
