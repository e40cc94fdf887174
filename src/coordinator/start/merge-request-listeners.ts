import type { EngineDeps } from '../ci/engine/engine-deps.js'
import { createPipelineOfVersion } from '../planning/merge-requests/pipelines/create-pipeline.js'
import type { RefreshListeners } from '../planning/merge-requests/refresh/listeners.js'

/** What follows when a merge request was compared with its branches. */
export function mergeRequestListeners(engine: EngineDeps): RefreshListeners {
  return {
    afterVersion: async ({ row, pushedById }) =>
      createPipelineOfVersion(engine, row, pushedById ?? row.author_id),
  }
}
