export type { HclItem, HclNode, HclValueNode } from './ast';
export {
  decodeAny,
  decodeBlock,
  decodeInteger,
  decodeList,
  decodeMap,
  decodeText,
  decodeTexts,
  serverTypeOf,
  shownTypeOf,
  valuesOf,
  type BlockValues,
} from './decode';
export { HclError } from './errors';
export { textOf } from './literal';
export { isJsonForm, parseHcl, type HclDocument } from './parse-hcl';
export { goQuote } from './quote';
