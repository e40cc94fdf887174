import type { Id, Json, Timestamp } from '../columns.js'

/** A switch for a part of the application of a project, which the application reads while it runs. */
export interface FeatureFlagTable {
  id: Id
  project_id: number
  name: string
  description: string | null
  active: boolean
  created_at: Timestamp
  updated_at: Timestamp
}

export const STRATEGIES = [
  ...(['default', 'gradualRolloutUserId', 'userWithId', 'gitlabUserList'] as const),
  'flexibleRollout',
] as const
export type StrategyName = (typeof STRATEGIES)[number]

/** The users for whom a flag is on, in the environments that match one of its scopes. */
export interface FeatureFlagStrategyTable {
  id: Id
  feature_flag_id: number
  name: StrategyName
  parameters: Json<Record<string, string>>
  /** Their IDs are unique within the strategy. */
  scopes: Json<{ id: number; environment_scope: string }[]>
  /** Set only for the strategy `gitlabUserList`. */
  user_list_id: number | null
}

export interface FeatureFlagUserListTable {
  id: Id
  /** Number within the project. */
  iid: number
  project_id: number
  name: string
  /** IDs that the application gives its users, with commas. */
  user_xids: string
  created_at: Timestamp
  updated_at: Timestamp
}

/** What the applications of a project show to read its flags. */
export interface FeatureFlagClientTable {
  project_id: number
  token_encrypted: string
}
