const config = require('./jest.config');

/** `npm run test:searches`: searches of replication's states, and random inputs. */
module.exports = { ...config, roots: ['explore', 'fuzz'].map((folder) => `<rootDir>/test/${folder}`) };
