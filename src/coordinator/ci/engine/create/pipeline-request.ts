import type { FoundConfig } from '../../../../ci-config/include/find-config.js'
import type { ConfigData } from '../../../../ci-config/plan.js'
import type { ConfigSources } from '../../../../ci-config/sources.js'
import type { PipelineRow, ProjectRow, UserRow } from '../../../database/tables/pipeline-rows.js'
import type { Transaction } from '../../../database/transaction.js'
import type { RunRefusal } from '../permissions/refusal-to-run.js'
import type { PipelineSource } from '../pipeline-source.js'
import type { ExceededLimit } from './exceeded-limit.js'
import type { ReachedRate } from './pipeline-rate.js'

/** What a pipeline is wanted for. */
export interface PipelineRequest {
  project: ProjectRow
  user: UserRow
  /** Short name of a branch or tag. */
  ref: string
  refType: 'branch' | 'tag'
  sha: string
  /** 40 zeros when there is none. */
  beforeSha: string
  source: PipelineSource
  variables?: PipelineVariableInput[]
  /** The schedule that causes it. */
  schedule?: { id: number; description: string }
  /** The trigger token that causes it: its first characters, and what came with it as JSON. */
  trigger?: { shortToken: string; payload: string }
  /** The job that causes it. */
  upstream?: { pipelineId: number; projectId: number; jobId: number }
  /** The text to be compiled; absent = what the project's setting leads to. */
  config?: FoundConfig
  /** Files that jobs of the parent pipeline left. */
  readArtifact?: ConfigSources['readArtifact']
  /** Values for the inputs that the file declares (CI language, 5.2). */
  inputs?: Readonly<Record<string, ConfigData>>
  /** Push option `ci.skip`. */
  skip?: boolean
  /** Push option `ci.no_pipeline`: nothing is stored. */
  noPipeline?: boolean
  /**
   * More writes for the same transaction; they are made whatever becomes of the pipeline, and when they fail there is
   * none. `refusal` says why there is to be no pipeline.
   */
  within?: (tx: Transaction, refusal: string | undefined) => Promise<void>
  /** More writes for the same transaction, once the pipeline is in it. */
  afterStored?: (tx: Transaction, pipeline: PipelineRow) => Promise<void>
}

export interface PipelineVariableInput {
  key: string
  value: string
  variable_type: 'env_var' | 'file'
  /** References inside the value are left alone. */
  raw?: boolean
}

export type PipelineCreation = { kind: 'created'; pipeline: PipelineRow } | PipelineRefusal

/** Why there is no pipeline: the check that failed (CI language, 9.2), and the sentence for the user. */
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
  message: string
  /** Present when the project has reached its limit of pipelines a minute. */
  rate?: ReachedRate
}
