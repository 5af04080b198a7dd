import type { VaultClient, VaultResponse } from '../../../src/client';
import { ACL_POLICY } from '../../../src/model';
import { request, type RequestContext } from '../../../src/provider/objects';

const subject = {
  definition: ACL_POLICY,
  location: { cluster: 'us', namespace: '' },
  title: 'ACL policy "ops"',
};
const answer: VaultResponse = { status: 200, requestId: '1', data: {}, warnings: [] };

function contextOf() {
  const warnings: [summary: string, detail: string][] = [];
  const context = {
    providerData: { client: () => Promise.resolve({} as VaultClient) },
    log: { debug: () => {} },
    diagnostics: { warning: (summary: string, detail: string) => void warnings.push([summary, detail]) },
  };
  return { context: context as unknown as RequestContext, warnings };
}

test('warnings of the server become warnings of Terraform', async () => {
  const { context, warnings } = contextOf();
  const warned = { ...answer, warnings: ['policy name was converted to ops', 'and another'] };
  expect(await request('create', subject, context, () => Promise.resolve(warned))).toBe(warned);
  expect(warnings).toEqual([
    ['ACL policy "ops" on cluster "us": the server warns', 'policy name was converted to ops'],
    ['ACL policy "ops" on cluster "us": the server warns', 'and another'],
  ]);
});

test('errors other than those of calls are passed on as defects', async () => {
  const defect = new TypeError('not a function');
  const { context } = contextOf();
  await expect(request('read', subject, context, () => Promise.reject(defect))).rejects.toBe(defect);
});
