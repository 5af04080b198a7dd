export { escapeExpression, matchesGlob } from './glob';
export { excessOf, isNestedDeeper, LONGEST_NUMBER, parseForeignJson } from './json-size';
export { nearestOf, similarWords } from './nearest';
export { own } from './own';
export { isRecord, type JsonRecord } from './record';
export { HIDDEN, isTooShortToHide, Redactor } from './redaction';
export { literalForTerraform } from './terraform';
export { trimmed, trimmedEnd } from './trimmed';
export { visible, visibleLines } from './visible';
