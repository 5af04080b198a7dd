import type { TextPosition } from '../definition/field';
import {
  decodeBlock,
  decodeText,
  decodeTexts,
  HclError,
  parseHcl,
  textOf,
  valuesOf,
  type HclDocument,
  type HclNode,
} from '../hcl';
import { checkKeys, type LeavesOut } from './keys';
import { AclPolicyError } from './errors';
import { type AclCapability, type AclPolicy, ACL_CAPABILITIES } from './policy';
import { parsePathBlock, type PathBlock } from './path-block';

export interface AclParseOptions {
  /** The namespace the policy is written in: empty (the default) for root, else `ns1/ns2/`. */
  readonly namespace?: string;
  /**
   * Refuse an argument that is set twice in a block, as servers from 1.21 on do. Default: false.
   */
  readonly refuseDuplicates?: boolean;
  /**
   * The capabilities that the server knows. Default: all. `subscribe` came with 1.16, `recover`
   * with 1.20.
   */
  readonly capabilities?: readonly AclCapability[];
  /**
   * Whether an unknown argument or capability is left out instead of being refused. Default: never.
   */
  readonly leavesOut?: LeavesOut;
}

const TOP_LEVEL_KEYS = ['name', 'path'];

/**
 * Parses ACL policy text, HCL or its JSON form, as the server does.
 *
 * @throws AclPolicyError with the server's words.
 */
export function parseAclPolicy(text: string, options: AclParseOptions = {}): AclPolicy {
  return parseAclSource(text, options).policy;
}

/** A policy with the places of its rules. */
export interface AclSource {
  readonly policy: AclPolicy;
  /** Where the path of each rule is written. */
  readonly positions: readonly TextPosition[];
  /**
   * The indexes of rules without a path: the server reads `path { }` as a rule for the path `path`.
   */
  readonly unnamed: ReadonlySet<number>;
  /** The indexes of rules that deny, and list other capabilities as well. */
  readonly deniedBeside: ReadonlySet<number>;
}

/**
 * Parses ACL policy text like {@link parseAclPolicy}, and keeps where its rules are.
 *
 * @throws AclPolicyError with the server's words.
 */
export function parseAclSource(text: string, options: AclParseOptions = {}): AclSource {
  const {
    namespace = '',
    refuseDuplicates = false,
    capabilities = ACL_CAPABILITIES,
    leavesOut = () => false,
  } = options;
  return inServerWords(() => {
    const document = parseHcl(text, { refuseDuplicates });
    const { items } = document.root;
    checkKeys(document.root, TOP_LEVEL_KEYS, leavesOut);
    valuesOf(items)('name').forEach((node) => decodeText('root.name', node));
    const blocks = pathBlocks(document);
    const rules = blocks.map((block) => parsePathBlock(block, namespace, { capabilities, leavesOut }));
    const isDeniedBeside = ({ body }: PathBlock, index: number) =>
      rules[index]!.capabilities.includes('deny') && listedCapabilities(body).some((each) => each !== 'deny');
    const duplicateArgument = document.duplicate && refused(document.duplicate);
    return {
      policy: { namespace, rules, ...(duplicateArgument && { duplicateArgument }) },
      positions: blocks.map(({ position }) => position),
      unnamed: new Set(blocks.flatMap(({ isNamed }, index) => (isNamed ? [] : [index]))),
      deniedBeside: new Set(blocks.flatMap((block, index) => (isDeniedBeside(block, index) ? [index] : []))),
    };
  });
}

/**
 * Returns the `path` blocks. A block may have further labels: `path "a" "b" { }` is a block for
 * `a`.
 */
function pathBlocks({ root }: HclDocument): readonly (PathBlock & { readonly isNamed: boolean })[] {
  return root.items.flatMap(({ keys: [type, label = type], value }) =>
    type && label && textOf(type) === 'path'
      ? [{ path: textOf(label), position: label.position, body: value, isNamed: label !== type }]
      : [],
  );
}

/** Returns the capabilities of a block that was read, as they are written. */
function listedCapabilities(body: HclNode): readonly string[] {
  return valuesOf(decodeBlock('path', body))('capabilities').flatMap((node) =>
    decodeTexts('capabilities', node),
  );
}

function inServerWords<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof HclError ? refused(error) : error;
  }
}

function refused({ message, position, fault, plain }: HclError): AclPolicyError {
  return new AclPolicyError(message, { ...position, kind: fault, plain });
}
