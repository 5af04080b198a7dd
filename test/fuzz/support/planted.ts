/**
 * Plants faults that the code once had or could have. Import this file before the code, since it
 * replaces functions of the code by functions that can have a fault.
 */
import type * as Entries from '../../../src/model/acl/audit/entry';
import type * as Files from '../../../src/policy/text-file';
import type * as Exchanges from '../../../src/client/transport/exchange';
import type * as Efforts from '../../../src/model/acl/effort';

type Fault = 'lines' | 'lines of a log' | 'answers' | RegExp;

let planted: Fault | undefined;

/** The steps that budgets have paid for since the last reset. */
export const paid = { steps: 0 };

/**
 * Plants a fault by its name. An expression makes steps free for callers whose stack it matches.
 * Returns a function that removes the fault.
 */
export function plant(fault: Fault): () => void {
  planted = fault;
  lines = [];
  return () => (planted = undefined);
}

jest.mock('../../../src/policy/text-file', () => {
  const real = jest.requireActual<typeof Files>('../../../src/policy/text-file');
  return {
    ...real,
    readTextFile: (path: string, longest?: number) => {
      const text = real.readTextFile(path, longest);
      if (planted === 'lines') countLines(text);
      return text;
    },
  };
});

jest.mock('../../../src/model/acl/audit/entry', () => {
  const real = jest.requireActual<typeof Entries>('../../../src/model/acl/audit/entry');
  return {
    ...real,
    readAuditLine: (line: string) => {
      // The fault searches for each character in all earlier lines.
      if (planted === 'lines of a log') {
        lines.push(line);
        for (const each of line) lines.join('').includes(each);
      } else lines = [];
      return real.readAuditLine(line);
    },
  };
});

/** The lines that were read since the fault was planted. */
let lines: string[] = [];

/** Counts the line breaks before each character, each time from the beginning of the text. */
function countLines(text: string): number {
  let breaks = 0;
  for (let at = 0; at < text.length; at++) {
    for (let before = 0; before < at; before++) if (text.charAt(before) === '\n') breaks++;
  }
  return breaks;
}

const { Effort } = jest.requireActual<typeof Efforts>('../../../src/model/acl/effort');
const spend = Object.getOwnPropertyDescriptor(Effort.prototype, 'spend')!.value as Efforts.Effort['spend'];
jest.spyOn(Effort.prototype, 'spend').mockImplementation(function (this: Efforts.Effort, steps) {
  if (planted instanceof RegExp && planted.test(callersOfSpend())) return;
  if (this.left !== Infinity) paid.steps += steps;
  spend.call(this, steps);
});

/** Returns the lines of the stack with the code that called `spend`. */
function callersOfSpend(): string {
  return new Error().stack!.split('\n').slice(2, 8).join('\n');
}

const { Exchange } = jest.requireActual<typeof Exchanges>('../../../src/client/transport/exchange');
type Receive = (typeof Exchange.prototype)['onResponseData'];
const receive = Object.getOwnPropertyDescriptor(Exchange.prototype, 'onResponseData')!.value as Receive;
jest.spyOn(Exchange.prototype, 'onResponseData').mockImplementation(function (this: never, ...received) {
  if (planted === 'answers') countLines(received[1].toString());
  receive.call(this, ...received);
});
