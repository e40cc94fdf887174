import type { EngineDeps } from '../../../ci/engine/engine-deps.js'
import type { BackgroundDeps } from '../merge/person-in-project.js'

export interface TrainDeps extends BackgroundDeps {
  engine: EngineDeps
}
