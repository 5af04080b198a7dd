export { isTooShortToHide } from './needle';
export { HIDDEN, Redactor } from './redactor';
