import type { OutsideSources } from '../../../../src/coordinator/engine/outside-sources.js'

/** For pipelines whose files name neither other projects nor addresses. */
export const NOTHING_OUTSIDE: OutsideSources = {
  readableProject: async () => undefined,
  fetchRemote: async () => ({ kind: 'failed', reason: 'because there is no network' }),
  readTemplate: async () => undefined,
}
