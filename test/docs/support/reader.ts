import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { blocksOf, type Block } from './page';
import type { Terminal } from './terminal';

const EMULATOR = /^(npx cdktf-vault-admin|npm run|vault-admin) emulator /;
const EMULATOR_READY = 'Ctrl-C stops them';
const APP_END = 'app.synth();\n';
const FOLDED_AWAY = '<details><summary>In Python</summary>';

export interface Reading {
  /** By text of the page, the text that replaces it here, such as another address. */
  readonly replacements?: Readonly<Record<string, string>>;
  /** Selects blocks that are not run here, because another test runs them or they do not apply. */
  readonly passesOver?: (block: Block) => boolean;
}

/**
 * Follows a page from its first block to its last:
 *
 * - `sh` is run, and succeeds, unless the page shows an error after it;
 * - `text` after `sh` is its output. `…` stands for any text, and white space is not compared
 *   exactly;
 * - `ts` is `main.ts`, or is inserted into it before `app.synth()`;
 * - a block without a language is a drawing;
 * - a folded block with the same code in Python is left out;
 * - every other block is the file that the line before it names.
 *
 * Emulators use free ports in place of the ports on the page.
 */
export async function follow(page: string, terminal: Terminal, reading: Reading = {}): Promise<void> {
  const { replacements = {}, passesOver = () => false } = reading;
  const actual = new Map(Object.entries(replacements));
  const blocks = blocksOf(page).filter((block) => !passesOver(block) && block.leadIn !== FOLDED_AWAY);
  for (const [index, block] of blocks.entries()) {
    const text = replaced(block.text, actual);
    const next = blocks[index + 1];
    if (block.language === 'sh' && EMULATOR.test(text)) await openEmulator(terminal, text, actual);
    else if (block.language === 'sh') await type(terminal, text, next, actual);
    else if (block.language === 'ts') writeApp(terminal.folder, text);
    else if (block.language === 'text') requireCommand(page, blocks[index - 1], block);
    else if (block.language !== '') writeFile(terminal, block, text);
  }
}

function requireCommand(page: string, before: Block | undefined, { text }: Block): void {
  if (before?.language !== 'sh') throw new Error(`nobody knows on ${page} what prints\n${text}`);
}

async function openEmulator(terminal: Terminal, command: string, actual: Map<string, string>): Promise<void> {
  const ports = [...command.matchAll(/=(\d{4})\b/g)].map(([, port]) => port!);
  const printed = await terminal.open(command.replaceAll(/=\d{4}\b/g, '=0'), EMULATOR_READY);
  const free = [...printed.matchAll(/https?:\/\/127\.0\.0\.1:(\d+)/g)].map(([, port]) => port!);
  for (const [index, port] of ports.entries()) actual.set(`127.0.0.1:${port}`, `127.0.0.1:${free[index]!}`);
}

async function type(
  terminal: Terminal,
  commands: string,
  next: Block | undefined,
  actual: ReadonlyMap<string, string>,
): Promise<void> {
  const promised = next?.language === 'text' ? next.text : '';
  const { code, text } = await terminal.run(commands);
  const printed = [...actual].reduce((all, [written, had]) => all.replaceAll(had, written), text);
  const fails = /^Error: /m.test(promised);
  if ((code !== 0) !== fails) throw new Error(`${commands}\nended with ${code}\n${printed}`);
  expectPrinted(printed, promised);
}

/** Compares an output with the part of it that a page shows. */
export function expectPrinted(printed: string, promised: string): void {
  let rest = oneLine(printed);
  for (const part of promised.split('…').map(oneLine)) {
    const at = rest.indexOf(part);
    if (at < 0) throw new Error(`the page promises\n\n${promised}\nbut this is printed:\n\n${printed}`);
    rest = rest.slice(at + part.length);
  }
}

function oneLine(text: string): string {
  // Terraform draws a line beside its messages on a terminal.
  return text.replaceAll(/[│╷╵]/g, ' ').replaceAll(/\s+/g, ' ').trim();
}

function replaced(text: string, actual: ReadonlyMap<string, string>): string {
  return [...actual].reduce((all, [written, had]) => all.replaceAll(written, had), text);
}

function writeApp(folder: string, code: string): void {
  const file = join(folder, 'main.ts');
  const whole = code.includes(APP_END);
  writeFileSync(file, whole ? code : readFileSync(file, 'utf8').replace(APP_END, `${code}\n${APP_END}`));
}

function writeFile({ folder, home }: Terminal, { language, leadIn }: Block, text: string): void {
  const [, name] = /^`([^`]+)`.*:$/.exec(leadIn) ?? [];
  if (!name) throw new Error(`nobody knows what to do with the ${language} after "${leadIn}"`);
  const file = name.startsWith('~/') ? join(home, name.slice(2)) : join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
