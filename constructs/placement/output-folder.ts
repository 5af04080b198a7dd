import { lstatSync, rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { App, Manifest, type ISynthesisSession, type TerraformProvider, type TerraformStack } from 'cdktf';
import { kindOf, makeFolder } from '../../src/files';
import { CUSTOM_SYNTHESIS } from '../private/framework';
import { cannotPlace, cannotSynthesize } from '../private/messages';

/**
 * The folder in which the framework places `TerraformAsset`s. The framework removes earlier folders
 * in it.
 */
const ASSETS = 'assets';

/**
 * Checks the folders into which the framework is about to write a stack. Must be called from
 * `toTerraform` of the stack's elements: the framework calls it for all stacks before it makes the
 * first folder.
 *
 * @throws Error if one of the folders is a link or a file
 */
export function checkOutput(stack: TerraformStack): void {
  const { root } = stack.node;
  if (!App.isApp(root)) return;
  const stacks = join(root.outdir, Manifest.stacksFolder);
  const own = join(stacks, stack.node.id);
  for (const folder of [stacks, own, join(own, ASSETS)]) {
    const stat = lstatSync(folder, { throwIfNoEntry: false });
    if (stat && !stat.isDirectory()) throw cannotSynthesize(folder, `it is ${kindOf(stat)}, not a folder`);
  }
}

/**
 * Ensures that the framework writes the files of a provider's stack safely. It would otherwise
 * write through a link or into a hard link of another file, and would wait for the reader of a
 * pipe.
 *
 * @param place places further files. It is called afterwards, in the same step of the synthesis
 * @throws Error during the synthesis if a folder is in place of a file
 */
export function guardOutput(
  provider: TerraformProvider,
  place: (session: ISynthesisSession) => void = () => {},
): void {
  const onSynthesize = (session: ISynthesisSession): void => {
    const { outdir, manifest } = session;
    const { synthesizedStackPath, stackMetadataPath } = manifest.forStack(provider.cdktfStack);
    for (const file of [synthesizedStackPath, stackMetadataPath, Manifest.fileName]) {
      removeUnlessOwn(join(outdir, file));
    }
    place(session);
  };
  Object.defineProperty(provider, CUSTOM_SYNTHESIS, { value: { onSynthesize } });
}

function removeUnlessOwn(file: string): void {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat?.isDirectory()) throw cannotSynthesize(file, `it is ${kindOf(stat)}, not a file`);
  if (stat && !(stat.isFile() && stat.nlink === 1)) rmSync(file, { force: true });
}

/**
 * Creates the missing folders from `root` to `folder`.
 *
 * @throws Error if one of the folders is a link or a file
 */
export function makeFolders(root: string, folder: string): void {
  let place = root;
  for (const name of relative(root, folder).split(sep)) {
    place = join(place, name);
    if (!lstatSync(place, { throwIfNoEntry: false })) makeFolder(place);
    const stat = lstatSync(place);
    if (!stat.isDirectory()) throw cannotPlace(place, `it is ${kindOf(stat)}, not a folder`);
  }
}
