import type { FoundConfig } from '../../../../ci-config/include/find-config.js'
import type { ConfigData } from '../../../../ci-config/plan.js'
import type { ConfigSources } from '../../../../ci-config/sources.js'
import type { PipelineRow, ProjectRow, UserRow } from '../../../database/tables/pipeline-rows.js'
import type { Transaction } from '../../../database/transaction.js'
import type { MergeRequestRow } from '../merge-request-store.js'
import type { RunRefusal } from '../permissions/refusal-to-run.js'
import type { PipelineSource } from '../pipeline-source.js'
import type { ExceededLimit } from './exceeded-limit.js'
import type { ReachedRate } from './pipeline-rate.js'

/** The parameters of a new pipeline. */
export interface PipelineRequest {
  project: ProjectRow
  user: UserRow
  /** Short name of a branch or tag; `refs/merge-requests/<iid>/head` for a merge request. */
  ref: string
  /** `branch` for a merge request too. */
  refType: 'branch' | 'tag'
  sha: string
  /** 40 zeros if there is none. */
  beforeSha: string
  source: PipelineSource
  /** The merge request of the pipeline, or of its parent. */
  mergeRequest?: MergeRequestRow | undefined
  variables?: PipelineVariableInput[]
  /** The schedule that creates the pipeline. */
  schedule?: { id: number; description: string }
  /** The trigger token of the request: its first characters, and the payload as JSON. */
  trigger?: { shortToken: string; payload: string }
  /** Whether the project is in a freeze period. `createPipeline` finds out. */
  isDeployFreeze?: boolean
  /** The job that creates the pipeline. */
  upstream?: { pipelineId: number; projectId: number; jobId: number }
  /** The text to compile; absent = the file from the project's settings. */
  config?: FoundConfig
  /** Artifacts of the parent pipeline. */
  readArtifact?: ConfigSources['readArtifact']
  /** Values for the inputs that the file declares (CI language, 5.2). */
  inputs?: Readonly<Record<string, ConfigData>>
  /** The name of the only job that is created, without what it needs. */
  onlyJob?: string
  /** Push option `ci.skip`. */
  skip?: boolean
  /** Push option `ci.no_pipeline`: nothing is stored. */
  noPipeline?: boolean
  /**
   * Additional writes in the same transaction. They run whether the pipeline is created or refused; if they
   * fail, no pipeline is created.
   */
  within?: (tx: Transaction, refusal: PipelineRefusal | undefined) => Promise<void>
  /**
   * The last check before the pipeline is stored: returns the reason why it is refused. `tx` holds the lock of the
   * project, so no other pipeline of the project is created before this one.
   */
  recheck?: (tx: Transaction) => Promise<PipelineRefusal | undefined>
  /** Additional writes in the same transaction, after the pipeline was inserted. */
  afterStored?: (tx: Transaction, pipeline: PipelineRow) => Promise<void>
}

export interface PipelineVariableInput {
  key: string
  value: string
  variable_type: 'env_var' | 'file'
  /** References inside the value are not expanded. */
  raw?: boolean
}

export type PipelineCreation = { kind: 'created'; pipeline: PipelineRow } | PipelineRefusal

/** The failed check (CI language, 9.2) and the message for the user. */
export interface PipelineRefusal {
  kind: 'refused'
  reason:
    | RunRefusal['reason']
    | ExceededLimit['failureReason']
    | 'no-ref'
    | 'variables'
    | 'rate'
    | 'inputs'
    | 'no-config'
    | 'config_error'
    | 'filtered'
    | 'duplicate'
  message: string
  /** Present if the project has reached its limit of pipelines per minute. */
  rate?: ReachedRate
}
