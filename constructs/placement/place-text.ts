import { lstatSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TerraformElement, Token, type IResolvable, type ISynthesisSession } from 'cdktf';
import { CUSTOM_SYNTHESIS } from '../private/framework';
import { makeFolders } from './output-folder';
import { replace } from './place-package';

/**
 * The most characters of a text within the stack. Terraform's time for such a text grows with the
 * square of its number of lines: a megabyte takes minutes, and a text up to this limit no
 * noticeable time.
 */
const LARGEST_INLINE = 16 * 1024;

const FOLDER = 'texts';

/** A text in a file of its own, as the value of a resource's argument. */
class PlacedText implements IResolvable {
  readonly creationStack: string[] = [];

  constructor(
    /** The text in the form in which the stack itself would contain it. */
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

/**
 * Returns the text that is placed beside a stack, in the form in which the stack itself would
 * contain it.
 */
export function placedTemplate(token: IResolvable): string | undefined {
  return token instanceof PlacedText ? token.template : undefined;
}

/**
 * Ensures that the synthesis of the stack of `resource` writes a large policy into a file beside
 * the stack, to which the resource then refers. Texts that Terraform has to complete stay in the
 * stack.
 *
 * @param template the policy in Terraform's form; called when the stack is synthesized
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
    const hadFolder = removeStale(resource, synthesis, stack);
    if (text === undefined && !hadFolder) return;
    const file = fileOf(resource);
    if (text === undefined) {
      rmSync(join(stack, file), { force: true });
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

/** Whether an earlier synthesis has left texts. Links are not followed. */
function hasFolder(stack: string): boolean {
  return [stack, join(stack, FOLDER)].every((place) =>
    lstatSync(place, { throwIfNoEntry: false })?.isDirectory(),
  );
}

/** Whether the stack had texts of an earlier synthesis, by the synthesis that removed them. */
const CLEARED = new WeakMap<object, boolean>();

/**
 * Removes the files of an earlier synthesis whose resources are no longer in the stack.
 *
 * @returns whether there was an earlier synthesis with texts
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
