import type { Default, Id, Timestamp } from '../columns.js'

export const TIERS = ['production', 'staging', 'testing', 'development', 'other'] as const
export type Tier = (typeof TIERS)[number]

export const ENVIRONMENT_STATES = ['available', 'stopping', 'stopped'] as const
type EnvironmentState = (typeof ENVIRONMENT_STATES)[number]

export const AUTO_STOP_SETTINGS = ['always', 'with_action'] as const

/** A deployment target of the jobs of a project (CI language, 15.1). */
export interface EnvironmentTable {
  id: Id
  project_id: number
  name: string
  /** Derived from the name once, for host names and labels. */
  slug: string
  tier: Tier
  state: Default<EnvironmentState>
  external_url: string | null
  description: string | null
  /** Time at which it is stopped automatically; null = never. */
  auto_stop_at: Timestamp | null
  /** User whose job set `auto_stop_at`; the environment is stopped in this name. Null = no user. */
  auto_stop_user_id: number | null
  /** `with_action`: only if a job can stop it. */
  auto_stop_setting: Default<(typeof AUTO_STOP_SETTINGS)[number]>
  created_at: Timestamp
  updated_at: Timestamp
}

export const DEPLOYMENT_STATUSES = [
  'created',
  'running',
  'success',
  'failed',
  'canceled',
  'skipped',
  'blocked',
] as const
export type DeploymentStatus = (typeof DEPLOYMENT_STATUSES)[number]

/** A finished, running or planned deployment to an environment (CI language, 15.2). */
export interface DeploymentTable {
  id: Id
  /** Number within the project. */
  iid: number
  project_id: number
  environment_id: number
  /** Job of the deployment; null = created over the API, or the job was deleted. */
  job_id: number | null
  user_id: number
  ref: string
  tag: boolean
  sha: string
  status: DeploymentStatus
  /** Time of the last required approval; null = approvals are missing, or none is required. */
  approved_at: Timestamp | null
  /** Name of the job in the same pipeline that stops the environment. */
  on_stop: string | null
  created_at: Timestamp
  updated_at: Timestamp
  finished_at: Timestamp | null
}

/** A merge request that a successful deployment has brought to its environment. */
export interface DeploymentMergeRequestTable {
  deployment_id: number
  merge_request_id: number
  /** Those of the deployment: lists of merge requests select by them. */
  environment_id: number
  finished_at: Timestamp
}

/** A successful deployment whose merge requests are not stored yet. */
export interface DeploymentMergeRequestTaskTable {
  id: Id
  deployment_id: number
  project_id: number
  /** End of the claim of a worker; null = unclaimed. */
  claimed_until: Timestamp | null
  created_at: Timestamp
}

export interface DeploymentCounterTable {
  project_id: number
  /** Last `iid` assigned to a deployment. */
  last_iid: number
}
