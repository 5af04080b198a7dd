const config = require('./jest.config');

/** `npm run test:deliverables`: what users install, copy and read is built, installed and followed. */
module.exports = {
  ...config,
  roots: ['docs', 'examples', 'languages', 'package', 'release'].map((folder) => `<rootDir>/test/${folder}`),
};
