import type { EngineDeps } from '../../engine/engine-deps.js'
import type { Artifacts } from '../../storage/artifacts.js'
import type { Traces } from '../../storage/traces.js'

export interface PipelineOperationsDeps {
  engine: EngineDeps
  artifacts: Artifacts
  traces: Traces
  /** Public address without a trailing slash. */
  externalUrl: string
}
