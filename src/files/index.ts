export { kindOf } from './kind';
export { makeFolder } from './make-folder';
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
