import { removeSharedFolder } from './shared-folder';

/** Cleans up after all tests. Jest calls this function. */
export default function afterAllTests(): void {
  removeSharedFolder();
}
