import { serverFlavour } from '../../../src/emulator/core/flavour';

describe('server versions', () => {
  it.each([
    ['1.21.0+ent', '1.21.0+ent', true],
    ['1.13', '1.13.0', false],
    ['1.17.2', '1.17.2', false],
    ['2.0.1+ent.hsm', '2.0.1+ent.hsm', true],
  ])('the version %s is parsed as %s, Enterprise: %p', (text, version, enterprise) => {
    expect(serverFlavour(text)).toMatchObject({ version, enterprise, dialect: 'vault' });
  });

  it('later versions are larger than earlier ones', () => {
    const server = serverFlavour('1.16.3+ent');
    const asked: [number, number][] = [
      [1, 16],
      [1, 9],
      [1, 17],
      [2, 0],
    ];
    expect(asked.map((version) => server.atLeast(...version))).toEqual([true, true, false, false]);
    expect(serverFlavour('2.0.0').atLeast(1, 99)).toBe(true);
  });
});
