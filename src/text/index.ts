export { HIDDEN, Redactor } from './redactor';
export { visible, visibleLines } from './visible';
