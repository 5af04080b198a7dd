import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, TerraformStack } from 'cdktf';

/** The file of a stack in the form that Terraform reads. */
export interface StackJson {
  readonly provider?: Record<string, Record<string, unknown>[]>;
  readonly resource?: Record<string, Record<string, Record<string, unknown>>>;
  readonly variable?: Record<string, Record<string, unknown>>;
  readonly output?: Record<string, unknown>;
  readonly check?: Record<string, unknown>;
  readonly removed?: readonly unknown[];
  readonly import?: readonly unknown[];
  readonly terraform: {
    readonly required_providers: Record<string, unknown>;
    readonly required_version?: string;
  };
}

/** Synthesizes an app with all validations, and returns the files of its stacks. */
export function synthesizeApp(build: (app: App) => void): Record<string, StackJson> {
  return inFolder((folder) => {
    const app = new App({ outdir: folder });
    build(app);
    app.synth();
    const stacks = app.node.children.filter((child) => TerraformStack.isStack(child));
    return Object.fromEntries(stacks.map((stack) => [stack.node.id, readStack(folder, stack.node.id)]));
  });
}

/** Synthesizes an app of one stack, `stack`. */
export function synthesize(build: (stack: TerraformStack) => void): StackJson {
  const stacks = synthesizeApp((app) => build(new TerraformStack(app, 'stack')));
  return stacks.stack as StackJson;
}

/** Returns the warnings of an app with one stack, each with the construct's path. */
export function warnings(build: (stack: TerraformStack) => void): string[] {
  return inFolder((folder) => {
    const app = new App({ outdir: folder });
    build(new TerraformStack(app, 'stack'));
    app.synth();
    const { stacks } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest;
    const annotations = stacks.stack?.annotations ?? [];
    expect(annotations.map(({ level }) => level)).toEqual(annotations.map(() => '@cdktf/warn'));
    return annotations.map(({ constructPath, message }) => `${constructPath}: ${message}`);
  });
}

interface Manifest {
  readonly stacks: Record<
    string,
    { annotations: { constructPath: string; level: string; message: string }[] }
  >;
}

/**
 * Returns the arguments of the resources of one type, by logical id, without the framework's
 * metadata.
 */
export function resources(stack: StackJson, type: string): Record<string, Record<string, unknown>> {
  const entries = Object.entries(stack.resource?.[type] ?? {});
  return Object.fromEntries(
    entries.map(([id, args]) => [
      id,
      Object.fromEntries(Object.entries(args).filter(([key]) => key !== '//')),
    ]),
  );
}

/** Returns the arguments of the only resource of a type. */
export function onlyResource(stack: StackJson, type: string): Record<string, unknown> {
  const all = Object.values(resources(stack, type));
  expect(all).toHaveLength(1);
  return all[0] as Record<string, unknown>;
}

/** Calls `use` with a temporary folder. */
export function inFolder<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'constructs-'));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the file of a stack that was synthesized into a folder. */
export function readStack(folder: string, stack: string): StackJson {
  return JSON.parse(readFileSync(join(folder, 'stacks', stack, 'cdk.tf.json'), 'utf8')) as StackJson;
}
