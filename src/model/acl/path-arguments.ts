import type { TextPosition } from '../definition/field';
import {
  decodeAny,
  decodeList,
  decodeMap,
  decodeText,
  decodeTexts,
  HclError,
  valuesOf,
  type BlockValues,
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
    const values = valuesOf(items);
    return {
      // The server's messages use the names of its own fields for these two.
      policy: lastText(values, 'policy', 'root.Policy'),
      capabilities: texts(values, 'capabilities', 'root.Capabilities'),
      minWrappingTtl: lastValue(values, 'min_wrapping_ttl'),
      maxWrappingTtl: lastValue(values, 'max_wrapping_ttl'),
      allowedParameters: lists(values, 'allowed_parameters'),
      deniedParameters: lists(values, 'denied_parameters'),
      requiredParameters: texts(values, 'required_parameters'),
      mfaMethods: texts(values, 'mfa_methods'),
      controlGroup: controlGroup(values),
      subscribeEventTypes: texts(values, 'subscribe_event_types'),
      keysFilterPath: lastText(
        values,
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

function lastText(values: BlockValues, key: string, name: string): string {
  return values(key).reduce((_, node) => decodeText(name, node), '');
}

function texts(values: BlockValues, key: string, name = `root.${key}`): readonly string[] {
  return values(key).flatMap((node) => decodeTexts(name, node));
}

function lastValue(values: BlockValues, key: string): unknown {
  return values(key).reduce<unknown>((_, node) => decodeAny(`root.${key}`, node, false), undefined);
}

function lists(values: BlockValues, key: string): ReadonlyMap<string, readonly unknown[]> {
  const all = new Map<string, unknown[]>();
  for (const node of values(key)) decodeMap<unknown[]>(`root.${key}`, node, appended, all);
  return all;
}

function appended(name: string, value: HclNode, before: unknown[] = []): unknown[] {
  for (const each of decodeList(name, value)) before.push(each);
  return before;
}

function controlGroup(values: BlockValues): WrittenControlGroup | undefined {
  return values('control_group').reduce<WrittenControlGroup | undefined>(
    (earlier, node) => decodeControlGroup('root.control_group', node, earlier),
    undefined,
  );
}
