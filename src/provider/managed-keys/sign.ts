import { linesOf } from '../../model/messages';
import { contentOf, MessageError, report } from '../messages';
import { HASH_ALGORITHMS } from '../../model';
import { DiagnosticError } from '../../plugin';
import { request, type RequestContext, type AttributeValues } from '../objects';
import type { StoredKey } from './stored-key';
import { testIsDue } from './messages';
import { testSignIn, type TestSign } from './test-sign';

/** The consequences of a failed test signature, in messages. */
export const FAILED_AFTER_CREATE =
  'The key exists and is kept: the next apply tests it again and does not replace it, although Terraform marks it as ' +
  'tainted and plans a replacement.';
export const FAILED_AFTER_UPDATE = 'The key was changed before. The next apply tests it again.';
const FAILED_ON_REFRESH =
  'The key is tested whenever it is read, because on_refresh is set. To change or delete it nevertheless, plan with ' +
  '-refresh=false.';

/**
 * Makes the test signature of a state. If it fails, the state is kept, with the failure.
 *
 * @returns the state with the outcome
 * @throws DiagnosticError with the server's reason, and `consequence`
 */
export async function tested(
  state: AttributeValues,
  key: StoredKey,
  consequence: string,
  context: RequestContext & { readonly keep: (state: AttributeValues) => void },
): Promise<AttributeValues> {
  const test = testSignIn(state);
  if (test === null) return { ...state, test_sign: null };
  context.keep({ ...state, test_sign: { ...test, passed: false } });
  await sign(test, key, consequence, context);
  return { ...state, test_sign: { ...test, passed: true } };
}

/** Makes the test signature of a state at each read, unless the next apply makes one anyway. */
export async function testOnRefresh(
  test: TestSign | null,
  key: StoredKey,
  context: RequestContext,
): Promise<void> {
  if (test?.passed === false) return report(context.diagnostics, 'warning', testIsDue(key.subject));
  if (!test?.on_refresh) return;
  try {
    await sign(test, key, FAILED_ON_REFRESH, context);
  } catch (error) {
    throw error instanceof DiagnosticError ? withoutFileNames(error) : error;
  }
}

/**
 * Removes file names from the error of a server. For Google Cloud KMS, the server names the file of
 * the credentials if it cannot open it. This name counts as a secret. A refresh does not know it,
 * so it cannot be masked as other secrets are.
 */
function withoutFileNames({ summary, detail, path, cause }: DiagnosticError): DiagnosticError {
  return new DiagnosticError(summary, detail.replace(OPENED_FILE, '(sensitive value)'), path, { cause });
}
const OPENED_FILE = /(?<=\bopen )\S+(?=: (?:no such file|permission denied))/g;

async function sign(
  { hash_algorithm, use_pss }: Pick<TestSign, 'hash_algorithm' | 'use_pss'>,
  { subject, identity: { type, name } }: StoredKey,
  consequence: string,
  context: RequestContext,
): Promise<void> {
  const options = {
    hashAlgorithm: HASH_ALGORITHMS.find((algorithm) => algorithm === hash_algorithm),
    usePss: use_pss ?? undefined,
  };
  try {
    await request('make a test signature with', subject, context, ({ managedKeys }) =>
      managedKeys.testSign(type, name, options, { signal: context.signal }),
    );
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    const content = contentOf(error);
    throw new MessageError(
      { ...content, path: ['test_sign', 'passed'], details: [...linesOf(content.details), consequence] },
      { cause: error },
    );
  }
}
