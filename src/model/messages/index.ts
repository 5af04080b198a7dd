export { linesOf, type Message } from './message';
export { type Notation, propName, PYTHON, TERRAFORM, TYPESCRIPT } from './notation';
export {
  type CureAction,
  cluster,
  code,
  command,
  either,
  field,
  file,
  joined,
  literal,
  literals,
  or,
  phrase,
  type Phrase,
  property,
  remove,
  set,
  variable,
  worded,
} from './phrase';
export {
  render,
  renderAdvice,
  type Rendered,
  renderJson,
  renderLine,
  renderPhrase,
  renderText,
  waysIn,
} from './render';
