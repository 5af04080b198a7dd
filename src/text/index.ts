export { HIDDEN, isTooShortToHide, Redactor } from './redactor';
export { literalForTerraform } from './terraform';
export { visible, visibleLines } from './visible';
