import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, extname, join, relative } from 'node:path';
import { POLICY_RESOURCE_TYPES, type TextPosition } from '../../model';
import { isOfOtherTool } from '../../policy/acl-files';
import { isPlainFile } from '../../files';
import { readTextFile } from '../../policy/text-file';
import { visible } from '../../text';
import { UserError } from '../errors';
import { stacksIn } from '../stacks/stacks';
import { isInRevision, withRevision } from './sources/git-revision';
import { TERRAFORM_EXTENSIONS, terraformPolicies } from '../../policy/terraform/terraform-policies';
import { YAML_EXTENSIONS, yamlPolicies } from './yaml/yaml-policies';

/** A policy with a name for messages: its file or its resource. */
export interface NamedPolicyText {
  readonly name: string;
  readonly kind: 'acl' | 'sentinel';
  /** The text; empty if it cannot be read. */
  readonly text: string;
  /** Whether the policy is a file, or a part of one. */
  readonly isFile: boolean;
  /** The reason why the file cannot be read. Absent if it was read. */
  readonly unreadable?: string;
  /**
   * Returns where a line and column of the text are in the file. Absent if the text is the whole
   * file.
   */
  readonly at?: (position: TextPosition) => TextPosition;
}

const KINDS = { '.sentinel': 'sentinel', '.hcl': 'acl' } as const;

/**
 * Returns the policies at paths: files, and in folders every `*.sentinel` and `*.hcl` that is not
 * part of a test. A path may be in a revision of Git: `main:policies`.
 *
 * @throws UserError for a path that does not exist, or that is not a policy.
 */
export function policyTexts(paths: readonly string[]): readonly NamedPolicyText[] {
  return paths.flatMap((path) => textsAt(path, isPolicy, (file) => [readPolicy(file)]));
}

/**
 * Returns the policies at paths as {@link policyTexts} does, and those in Terraform and YAML files.
 */
export function policyTextsOfAllFiles(paths: readonly string[]): readonly NamedPolicyText[] {
  const suits = (file: string) => isPolicy(file) || ((isTerraform(file) || isYaml(file)) && !isHidden(file));
  const found = paths.flatMap((path) => textsAt(path, suits, textsOfFile));
  const names = new Set<string>();
  return found.filter(({ name, at }) => at !== undefined || (!names.has(name) && names.add(name)));
}

function textsOfFile(path: string): readonly NamedPolicyText[] {
  if (!isTerraform(path) && !isYaml(path)) return [readPolicy(path)];
  try {
    if (isYaml(path)) {
      return yamlPolicies(path).map(({ text, at }) => ({ name: path, kind: 'acl', text, isFile: true, at }));
    }
    return terraformPolicies(path)
      .filter(({ kind, text }) => kind === 'acl' || !text.includes('${'))
      .map(({ kind, text, file, at }) => ({ name: file, kind, text, isFile: true, ...(at && { at }) }));
  } catch (error) {
    return [unreadable(path, 'acl', error)];
  }
}

/**
 * Reads the files of a path. If it is in a revision, the names of the files begin with the
 * revision.
 */
function textsAt(
  path: string,
  suits: (path: string) => boolean,
  read: (path: string) => readonly NamedPolicyText[],
): readonly NamedPolicyText[] {
  if (existsSync(path) || !isInRevision(path)) return filesAt(path, suits).flatMap(read);
  return withRevision(path, (copy) =>
    filesAt(copy, suits)
      .flatMap(read)
      .map((each) => ({ ...each, name: join(path, relative(copy, each.name)), isFile: false })),
  );
}

function readPolicy(path: string): NamedPolicyText {
  const kind = kindOf(path);
  if (!kind)
    throw new UserError(
      `${visible(path)} is not a policy: its name must end in .sentinel (RGP, EGP) or .hcl (ACL)`,
    );
  try {
    return { name: path, kind, text: readTextFile(path), isFile: true };
  } catch (error) {
    return unreadable(path, kind, error);
  }
}

function unreadable(name: string, kind: NamedPolicyText['kind'], error: unknown): NamedPolicyText {
  return { name, kind, text: '', isFile: true, unreadable: (error as Error).message };
}

function isPolicy(path: string): boolean {
  return kindOf(path) !== undefined && !isOfOtherTool(path, basename(path));
}

/** Whether a file is hidden. Editors keep hidden copies beside the files that are edited. */
function isHidden(path: string): boolean {
  return basename(path).startsWith('.');
}

function isTerraform(path: string): boolean {
  return TERRAFORM_EXTENSIONS.includes(extname(path));
}

function isYaml(path: string): boolean {
  return YAML_EXTENSIONS.includes(extname(path));
}

function filesAt(path: string, suits: (path: string) => boolean): readonly string[] {
  if (!existsSync(path)) throw new UserError(`${visible(path)} was not found`);
  return statSync(path).isDirectory() ? filesIn(path, suits) : [path];
}

function filesIn(folder: string, suits: (path: string) => boolean): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return isSkipped(entry.name) ? [] : filesIn(path, suits);
      return isPlainFile(path) && suits(path) ? [path] : [];
    });
}

function isSkipped(name: string): boolean {
  return name === 'test' || name === 'node_modules' || name === 'cdktf.out' || name.startsWith('.');
}

function kindOf(path: string): NamedPolicyText['kind'] | undefined {
  return Object.entries(KINDS).find(([suffix]) => path.endsWith(suffix))?.[1];
}

/**
 * Returns the policies of synthesized stacks. Sentinel policies that only Terraform knows are left
 * out.
 */
export function policiesOfStacks(output: string): readonly NamedPolicyText[] {
  return stacksIn(output).flatMap(({ name: stack, json }) =>
    Object.entries(POLICY_RESOURCE_TYPES).flatMap(([type, kind]) =>
      Object.entries(json.resource?.[type] ?? {}).flatMap(([name, { policy }]) => {
        if (typeof policy !== 'string' || (kind !== 'acl' && /(?<!\$)\$\{/.test(policy))) return [];
        return [
          {
            name: `${stack}/${type}.${name}`,
            isFile: false,
            kind: kind === 'acl' ? kind : 'sentinel',
            text: kind === 'acl' ? policy : policy.replaceAll('$${', '${'),
          },
        ];
      }),
    ),
  );
}
