import type { TextPosition } from '../../definition/field';
import { parseForeignJson } from '../../../text';
import { isJsonForm } from '../../hcl';
import { positionAt } from './fault';

/**
 * Returns the place at which a policy in JSON is not valid JSON; the server accepts many such
 * texts.
 */
export function faultOfJson(text: string): TextPosition | undefined {
  if (!isJsonForm(text)) return undefined;
  try {
    parseForeignJson(text);
    return undefined;
  } catch (error) {
    const [, offset = Infinity] = /at position (\d+)/.exec((error as Error).message) ?? [];
    return positionAt(Math.min(Number(offset), text.trimEnd().length), text);
  }
}
