import fc from 'fast-check';
import { startPair } from '../cli/support/pair';
import { formsOf, sightings } from '../support/secret-forms';
import { answers, json, type HttpAnswer } from './support/answers';
import { fuzz } from './support/fuzz';
import { hostileTexts, INVISIBLE } from './support/hostile';
import {
  ADDRESSES,
  providerSteps,
  SECRETS,
  secretsIn,
  take,
  type HttpRequest,
  type HttpServer,
  type Said,
} from './support/provider-calls';

const FORMS = new Map(SECRETS.map((secret) => [secret as string, formsOf(secret)]));

let steps: Awaited<ReturnType<typeof providerSteps>>;
/** The answers of real clusters to each request, in order. */
const recorded = new Map<string, HttpAnswer[]>();
const keyOf = ({ method, origin, path }: HttpRequest) => `${method} ${origin}${path}`;

/** Records the answers: takes each step once with two clusters that contain objects. */
beforeAll(async () => {
  steps = await providerSteps();
  const pair = await startPair({ rootToken: SECRETS[0] });
  try {
    const clusters: Readonly<Record<string, string>> = {
      [ADDRESSES.us]: pair.us.address,
      [ADDRESSES.eu]: pair.eu.address,
    };
    const recording: HttpServer = async (request) => {
      const { method, origin, path, body } = request;
      const answer = await fetch(`${clusters[origin]}${path}`, {
        method: method === 'LIST' ? 'GET' : method,
        headers: { 'X-Vault-Token': SECRETS[0] },
        ...(body !== '' && { body }),
      });
      const recordedAnswer = { status: answer.status, headers: {}, body: await answer.text() };
      recorded.set(keyOf(request), [...(recorded.get(keyOf(request)) ?? []), recordedAnswer]);
      return recordedAnswer;
    };
    // Replication is last, because it ends with new tokens. Created objects exist until all other
    // calls were made.
    const rank = (name: string) =>
      (/replication/.test(name) ? 3 : 0) + (/^create/.test(name) ? 0 : /^delete/.test(name) ? 2 : 1);
    const order = Object.keys(steps).sort((a, b) => rank(a) - rank(b));
    for (const name of order) await take(steps[name]!, recording);
  } finally {
    await pair.emulator.close();
  }
  // The recording has enough successful answers to change.
  const successes = [...recorded.values()].flat().filter(({ status }) => status < 300);
  expect(successes.length).toBeGreaterThan(60);
});

/** A change to a recorded answer. */
type Change =
  | { readonly kind: 'none' }
  | { readonly kind: 'another'; readonly answer: HttpAnswer }
  | { readonly kind: 'value'; readonly at: number; readonly value: string }
  | { readonly kind: 'said'; readonly what: 'errors' | 'warnings'; readonly texts: readonly string[] };

interface Input {
  /** The index of a step in the list of all steps. */
  readonly step: number;
  readonly changes: readonly Change[];
}

const forms = fc.constantFrom(...[...FORMS.values()].flat());
const poison = fc.oneof(
  forms,
  hostileTexts,
  fc.tuple(hostileTexts, forms).map((texts) => texts.join('')),
);
const changes: fc.Arbitrary<Change> = fc.oneof(
  { arbitrary: fc.constant<Change>({ kind: 'none' }), weight: 4 },
  { arbitrary: answers.map((answer): Change => ({ kind: 'another', answer })), weight: 1 },
  {
    arbitrary: fc
      .tuple(
        fc.nat(200),
        fc.oneof(
          json,
          poison.map((text) => JSON.stringify(text)),
        ),
      )
      .map(([at, value]): Change => ({ kind: 'value', at, value })),
    weight: 4,
  },
  {
    arbitrary: fc
      .tuple(fc.constantFrom('errors', 'warnings'), fc.array(poison, { minLength: 1, maxLength: 3 }))
      .map(([what, texts]): Change => ({ kind: 'said', what, texts })),
    weight: 2,
  },
);
const inputs: fc.Arbitrary<Input> = fc.record({
  step: fc.nat(10_000),
  changes: fc.array(changes, { minLength: 1, maxLength: 8 }),
});

/** Returns clusters that send the recorded answers, and apply the next change to each answer. */
function hostile({ changes }: Input, noteTexts: (texts: readonly string[]) => void): HttpServer {
  let count = 0;
  return (request) => {
    const known = recorded.get(keyOf(request)) ?? [{ status: 404, headers: {}, body: '{"errors":[]}' }];
    const answer = known[count % known.length]!;
    const change = changes[count % changes.length]!;
    count++;
    switch (change.kind) {
      case 'none':
        return answer;
      case 'another':
        return change.answer;
      case 'value':
        return { ...answer, body: replaced(answer.body, change.at, change.value) };
      case 'said':
        noteTexts(change.texts);
        return change.what === 'errors'
          ? { ...answer, status: 400, body: JSON.stringify({ errors: change.texts }) }
          : { ...answer, status: 200, body: withWarnings(answer.body, change.texts) };
    }
  };
}

/** Returns a JSON text with another value at one position. */
function replaced(text: string, at: number, value: string): string {
  const places = [...text.matchAll(/(?<=[:[,])(?:"(?:[^"\\]|\\.)*"(?!:)|[-\w.]+|\{\}|\[\])/g)];
  const place = places[at % Math.max(1, places.length)];
  if (!place) return value;
  return text.slice(0, place.index) + value + text.slice(place.index + place[0].length);
}

function withWarnings(text: string, warnings: readonly string[]): string {
  const said = `"warnings":${JSON.stringify(warnings)}`;
  return /^\s*\{\s*"/.test(text) ? text.replace(/\}\s*$/, `,${said}}`) : `{"data":{},${said}}`;
}

type Take = (input: Input) => Promise<Said>;

const stepOf = ({ step }: Input) => Object.values(steps)[step % Object.keys(steps).length]!;
const untold = () => undefined;

fuzz<Input, Take>(
  'for any answers of the clusters, the provider continues, and reports no secrets and no control characters',
  {
    inputs,
    subject: (input) => take(stepOf(input), hostile(input, untold)),
    // The planted fault: it reports the received texts unchanged.
    planted: async (input) => {
      const heard: string[] = [];
      const said = await take(
        stepOf(input),
        hostile(input, (texts) => heard.push(...texts)),
      );
      return [...said, ...heard.map((detail) => ({ severity: 1, summary: 'heard', detail }))];
    },
    check: async (takeStep, input) => {
      const secrets = secretsIn(stepOf(input));
      for (const { summary, detail } of await takeStep(input)) {
        const text = `${summary}\n${detail}`;
        expect(text).not.toMatch(INVISIBLE);
        expect(text).not.toContain('defect of the provider');
        for (const each of secrets) expect(sightings(FORMS.get(each)!, text)).toEqual([]);
      }
    },
  },
);
