const config = require('./jest.config');
const deliverables = require('./jest.deliverables.config');

/** `npm test`: all tests except those of `npm run test:deliverables`. */
module.exports = { ...config, testPathIgnorePatterns: deliverables.roots.map((folder) => `${folder}/`) };
