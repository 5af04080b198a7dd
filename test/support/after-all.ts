import { removeSharedFolder } from './shared-folder';

/** Jest calls it after all tests. */
export default function afterAllTests(): void {
  removeSharedFolder();
}
