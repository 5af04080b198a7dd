export { kindOf } from './kind';
export {
  inWords,
  isPlainFile,
  namesBeside,
  OPEN_IN_PLACE,
  readFileInPlace,
  readPlainFile,
  readToEnd,
  reasonOf,
} from './read';
export { FileRefusedError } from './refused';
