import type { Transaction } from '../database/transaction.js'
import type { PipelineRow, ProjectRow, UserRow } from './rows.js'

/** What a pipeline is wanted for. That the user may have it is checked by the caller. */
export interface PipelineRequest {
  project: ProjectRow
  user: UserRow
  /** Short name of a branch or tag. */
  ref: string
  refType: 'branch' | 'tag'
  sha: string
  /** 40 zeros when there is none. */
  beforeSha: string
  source: 'push' | 'api' | 'web' | 'schedule'
  variables?: PipelineVariableInput[]
  /** The schedule that causes it. */
  schedule?: { id: number; description: string }
  /** False: a request with variables is refused. */
  maySetVariables?: boolean
  /** Push option `ci.skip`. */
  skip?: boolean
  /**
   * More writes for the same transaction; they are made whatever becomes of the pipeline, and when they fail there is
   * none. `refusal` says why there is to be no pipeline.
   */
  within?: (tx: Transaction, refusal: string | undefined) => Promise<void>
}

export interface PipelineVariableInput {
  key: string
  value: string
  variable_type: 'env_var' | 'file'
}

export type PipelineCreation =
  { kind: 'created'; pipeline: PipelineRow } | { kind: 'refused'; message: string }
