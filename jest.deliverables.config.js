const config = require('./jest.config');

/** `npm run test:deliverables`: builds, installs and follows what users install, copy and read. */
module.exports = {
  ...config,
  roots: ['docs', 'examples', 'executables', 'languages', 'package', 'release'].map(
    (folder) => `<rootDir>/test/${folder}`,
  ),
};
