import type { EngineArtifacts, EngineTraces } from '../../../../../src/coordinator/ci/engine/engine-deps.js'
import type { OutsideSources } from '../../../../../src/coordinator/ci/engine/outside-sources.js'

const OWNER = 50

/** For pipelines whose files name neither other projects nor addresses. */
export const NOTHING_OUTSIDE: OutsideSources = {
  findProject: async () => undefined,
  levelOf: async () => OWNER,
  projectWithJobs: async () => undefined,
  readableProject: async () => undefined,
  fetchRemote: async () => ({ kind: 'failed', reason: 'because there is no network' }),
  readTemplate: async () => undefined,
}

/** For pipelines without child pipelines from artifacts. */
export const NO_ARTIFACTS: EngineArtifacts = { readArchived: async () => undefined }

/** For jobs whose runners send no log. */
export const NO_TRACES: EngineTraces = { growingSize: async () => 0 }
