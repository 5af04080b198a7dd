export { kindOf } from './kind';
export { isPlainFile, OPEN_IN_PLACE, readFileInPlace, readPlainFile, readToEnd } from './read';
export { FileRefusedError } from './refused';
