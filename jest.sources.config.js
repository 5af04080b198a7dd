const config = require('./jest.config');
const deliverables = require('./jest.deliverables.config');
const searches = require('./jest.searches.config');

/** `npm test`: all tests except those of `test:deliverables` and `test:searches`. */
module.exports = {
  ...config,
  testPathIgnorePatterns: [...deliverables.roots.map((folder) => `${folder}/`), ...searches.testRegex],
};
