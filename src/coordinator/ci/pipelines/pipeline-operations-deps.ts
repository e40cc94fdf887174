import type { Project } from '../../access/caller.js'
import type { EngineDeps } from '../engine/engine-deps.js'
import type { Artifacts } from '../storage/artifacts/artifacts.js'
import type { Traces } from '../storage/traces.js'

export interface PipelineOperationsDeps {
  engine: EngineDeps
  artifacts: Artifacts
  traces: Traces
  /** Accepts the id or the full path of a project. */
  findProject: (idOrPath: string) => Promise<Project | undefined>
  /** Public address without a trailing slash. */
  externalUrl: string
}
