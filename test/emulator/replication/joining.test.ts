import { joinedPair, status, useSet } from './support/set';

const use = useSet();

describe('a new secondary', () => {
  it('gets what the primary has, and follows it', async () => {
    const { us, eu } = use();
    await us.post('sys/mounts/kv', { type: 'kv', options: { version: '2' } });
    await us.post('kv/data/app', { data: { answer: '42' } });
    const { secondary } = await joinedPair(use());
    expect((await secondary.get('kv/data/app')).body.data.data).toEqual({ answer: '42' });
    await us.post('kv/data/later', { data: { more: 'yes' } });
    expect((await secondary.get('kv/data/later')).body.data.data).toEqual({ more: 'yes' });
    const [primaryStatus, secondaryStatus] = [await status(us), await status(eu)];
    expect(secondaryStatus.merkle_root).toBe(primaryStatus.merkle_root);
  });
});
