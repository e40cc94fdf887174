import type { Project, User } from '../../access/caller.js'
import type { ProjectPermission } from '../../access/permissions.js'
import type { EngineDeps } from '../engine/engine-deps.js'
import type { Artifacts } from '../storage/artifacts/artifacts.js'
import type { TraceIndexes } from '../storage/trace-indexes.js'
import type { Traces } from '../storage/traces.js'

export interface PipelineOperationsDeps {
  engine: EngineDeps
  artifacts: Artifacts
  traces: Traces
  traceIndexes: TraceIndexes
  /** Accepts the id or the full path of a project. */
  findProject: (idOrPath: string) => Promise<Project | undefined>
  /** Public address without a trailing slash. */
  externalUrl: string
  /** Whether a user, or an anonymous caller, has this permission in a project. */
  maySee: (
    what: Extract<ProjectPermission, 'read_pipelines'>,
    user: User | undefined,
    project: Project,
  ) => Promise<boolean>
}
