import type { EngineDeps } from '../engine-deps.js'
import type { BridgeTask } from '../hierarchy/bridge-task-store.js'
import { cancelDownstream } from './cancel-downstream.js'
import { followPipeline } from './follow-pipeline.js'
import { startDownstream } from './start-downstream.js'

/** Performs one task between pipelines; does nothing if another process has performed it. */
export async function performBridgeTask(deps: EngineDeps, task: BridgeTask): Promise<void> {
  switch (task.kind) {
    case 'create':
      return startDownstream(deps, task)
    case 'follow':
    case 'restart':
      return followPipeline(deps, task)
    case 'cancel':
      return cancelDownstream(deps, task)
  }
}
