import type { JobTimings } from '../../src/runner/job/job-context.js'

/** Short delays for tests. */
export const QUICK_TIMINGS: JobTimings = {
  prepareRetry: 1,
  stageRetry: 1,
  uploadRetry: 1,
  downloadRetry: 1,
  resultRetry: 1,
  redelivery: 20,
  silenceTimeout: 0,
  liveAfter: 500,
}
