import { lstatSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TerraformElement, Token, type IResolvable, type ISynthesisSession } from 'cdktf';
import { CUSTOM_SYNTHESIS } from '../private/framework';
import { makeFolders } from './output-folder';
import { replace } from './place-package';

/**
 * In characters. Terraform takes time for texts within a stack that grows with the square of their
 * lines: minutes for a megabyte, nothing that matters for this much.
 */
const LARGEST_INLINE = 16 * 1024;

const FOLDER = 'texts';

/** A text as it stands in a stack: in a file of its own. */
class PlacedText implements IResolvable {
  readonly creationStack: string[] = [];

  constructor(
    /** As it would stand in the stack itself. */
    readonly template: string,
    private readonly file: string,
  ) {}

  resolve(): string {
    return `\${file("\${path.module}/${this.file}")}`;
  }

  toString(): string {
    return Token.asString(this);
  }
}

/** Returns the text that is placed beside a stack, as it would stand in the stack itself. */
export function placedTemplate(token: IResolvable): string | undefined {
  return token instanceof PlacedText ? token.template : undefined;
}

/**
 * Sees to it that, when the stack of `resource` is synthesized, a large policy lies in a file
 * beside the stack, and the resource refers to it. Texts that Terraform has to complete stay where
 * they are.
 *
 * @param template the policy, as Terraform reads it. Called when the stack is synthesized.
 */
export function placeLargePolicy(
  resource: TerraformElement & { policy: string },
  template: () => string,
): void {
  const onSynthesize = ({ outdir, manifest }: ISynthesisSession): void => {
    const written = template();
    const text = written.length > LARGEST_INLINE ? literalOf(written) : undefined;
    const synthesis = manifest.forStack(resource.cdktfStack);
    const stack = join(outdir, synthesis.workingDirectory);
    const file = fileOf(resource);
    const hadFolder = removeStale(resource, synthesis, stack);
    if (text === undefined) {
      if (hadFolder) rmSync(join(stack, file), { force: true });
      return;
    }
    makeFolders(outdir, join(stack, FOLDER));
    replace(join(stack, file), (path) => writeFileSync(path, text));
    resource.policy = Token.asString(new PlacedText(written, file));
  };
  Object.defineProperty(resource, CUSTOM_SYNTHESIS, { value: { onSynthesize } });
}

function fileOf(resource: TerraformElement): string {
  return `${FOLDER}/${resource.friendlyUniqueId}.txt`;
}

/** Whether there are texts of an earlier synthesis. Links are not followed. */
function hasFolder(stack: string): boolean {
  return [stack, join(stack, FOLDER)].every((place) =>
    lstatSync(place, { throwIfNoEntry: false })?.isDirectory(),
  );
}

/** Whether the stack had texts of an earlier synthesis, by the synthesis that removed them. */
const CLEARED = new WeakMap<object, boolean>();

/**
 * Removes the files of an earlier synthesis whose resources the stack does not have any more.
 *
 * @returns whether there was an earlier synthesis with texts.
 */
function removeStale(resource: TerraformElement, synthesis: object, stack: string): boolean {
  const known = CLEARED.get(synthesis);
  if (known !== undefined) return known;
  const hadFolder = hasFolder(stack);
  CLEARED.set(synthesis, hadFolder);
  if (hadFolder) removeOthers(resource, stack);
  return hadFolder;
}

function removeOthers({ cdktfStack }: TerraformElement, stack: string): void {
  const elements = cdktfStack.node.findAll().filter((each) => TerraformElement.isTerraformElement(each));
  const present = new Set(elements.map(fileOf));
  for (const name of readdirSync(join(stack, FOLDER))) {
    const file = `${FOLDER}/${name}`;
    if (name.endsWith('.txt') && !present.has(file)) rmSync(join(stack, file), { force: true });
  }
}

/**
 * Returns the value that Terraform reads from a text without expressions; `undefined` if the text
 * may contain an expression.
 */
function literalOf(template: string): string | undefined {
  if (/[$%]{3}\{/.test(template)) return undefined;
  const literal = template.replace(/([$%])\1\{/g, '');
  return /[$%]\{/.test(literal) ? undefined : template.replace(/([$%])\1\{/g, '$1{');
}
