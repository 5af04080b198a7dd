/** Ends a run with one plain line of counts, for pipelines that do not read Jest's summary. */
module.exports = class ClosingLineReporter {
  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    console.log(`${results.numPassedTests} passed, ${failed} failed, ${skipped} skipped`);
  }
};
