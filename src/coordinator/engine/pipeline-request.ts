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
  source: 'push' | 'api' | 'web'
  variables?: PipelineVariableInput[]
  /** Push option `ci.skip`. */
  skip?: boolean
  /** More writes for the same transaction; they are made whatever becomes of the pipeline. */
  within?: (tx: Transaction) => Promise<void>
}

export interface PipelineVariableInput {
  key: string
  value: string
  variable_type: 'env_var' | 'file'
}

export type PipelineCreation =
  { kind: 'created'; pipeline: PipelineRow } | { kind: 'refused'; message: string }
