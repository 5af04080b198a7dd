import type { TextPosition } from '../definition/field';
import {
  decodeAny,
  decodeList,
  decodeMap,
  decodeText,
  decodeTexts,
  HclError,
  valuesOf,
  type HclItem,
  type HclNode,
} from '../hcl';
import { decodeControlGroup, type WrittenControlGroup } from './control-group';

/** The arguments of a `path` block with their right types. Their meaning is not checked yet. */
export interface PathArguments {
  /** The value of the old argument `policy`; empty if it is not used. */
  readonly policy: string;
  readonly capabilities: readonly string[];
  readonly minWrappingTtl: unknown;
  readonly maxWrappingTtl: unknown;
  readonly allowedParameters: ReadonlyMap<string, readonly unknown[]>;
  readonly deniedParameters: ReadonlyMap<string, readonly unknown[]>;
  readonly requiredParameters: readonly string[];
  readonly mfaMethods: readonly string[];
  readonly controlGroup: WrittenControlGroup | undefined;
  readonly subscribeEventTypes: readonly string[];
  /** Empty if it is not used. */
  readonly keysFilterPath: string;
}

export const PATH_KEYS = [
  'comment',
  'policy',
  'capabilities',
  'allowed_parameters',
  'denied_parameters',
  'required_parameters',
  'min_wrapping_ttl',
  'max_wrapping_ttl',
  'mfa_methods',
  'control_group',
  'subscribe_event_types',
];

/** The arguments that only OpenBao has, and which decide on no request. */
export const OPENBAO_KEYS = ['pagination_limit', 'list_scan_response_keys_filter_path'];

/**
 * Decodes the arguments in the server's order, so that the first reported fault is the same.
 *
 * @param prefix the text before the message of a fault.
 * @param place the place of a fault without a place of its own.
 * @throws HclError
 */
export function decodeArguments(
  items: readonly HclItem[],
  prefix: string,
  place: TextPosition,
): PathArguments {
  try {
    return {
      // The server's messages use the names of its own fields for these two.
      policy: lastText(items, 'policy', 'root.Policy'),
      capabilities: texts(items, 'capabilities', 'root.Capabilities'),
      minWrappingTtl: lastValue(items, 'min_wrapping_ttl'),
      maxWrappingTtl: lastValue(items, 'max_wrapping_ttl'),
      allowedParameters: lists(items, 'allowed_parameters'),
      deniedParameters: lists(items, 'denied_parameters'),
      requiredParameters: texts(items, 'required_parameters'),
      mfaMethods: texts(items, 'mfa_methods'),
      controlGroup: controlGroup(items),
      subscribeEventTypes: texts(items, 'subscribe_event_types'),
      keysFilterPath: lastText(
        items,
        'list_scan_response_keys_filter_path',
        'root.list_scan_response_keys_filter_path',
      ),
    };
  } catch (error) {
    throw error instanceof HclError
      ? new HclError(
          prefix + error.message,
          error.position ?? place,
          error.fault,
          error.plain && prefix + error.plain,
        )
      : error;
  }
}

function lastText(items: readonly HclItem[], key: string, name: string): string {
  return valuesOf(items, key).reduce((_, node) => decodeText(name, node), '');
}

function texts(items: readonly HclItem[], key: string, name = `root.${key}`): readonly string[] {
  return valuesOf(items, key).flatMap((node) => decodeTexts(name, node));
}

function lastValue(items: readonly HclItem[], key: string): unknown {
  return valuesOf(items, key).reduce<unknown>((_, node) => decodeAny(`root.${key}`, node, false), undefined);
}

function lists(items: readonly HclItem[], key: string): ReadonlyMap<string, readonly unknown[]> {
  const all = new Map<string, unknown[]>();
  for (const node of valuesOf(items, key)) decodeMap<unknown[]>(`root.${key}`, node, appended, all);
  return all;
}

function appended(name: string, value: HclNode, before: unknown[] = []): unknown[] {
  for (const each of decodeList(name, value)) before.push(each);
  return before;
}

function controlGroup(items: readonly HclItem[]): WrittenControlGroup | undefined {
  return valuesOf(items, 'control_group').reduce<WrittenControlGroup | undefined>(
    (earlier, node) => decodeControlGroup('root.control_group', node, earlier),
    undefined,
  );
}
