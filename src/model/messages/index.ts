export { linesOf, type Message } from './message';
export { type Notation, propName, PYTHON, TERRAFORM, TYPESCRIPT } from './notation';
export {
  type Action,
  cluster,
  code,
  command,
  either,
  field,
  file,
  joined,
  literal,
  literals,
  phrase,
  type Phrase,
  property,
  remove,
  set,
  variable,
  worded,
} from './phrase';
export {
  actionsIn,
  render,
  renderAdvice,
  type Rendered,
  renderJson,
  renderLine,
  renderPhrase,
  renderText,
} from './render';
