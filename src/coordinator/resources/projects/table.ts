import type { Default, Id, Timestamp } from '../../database/columns.js'
import type { OverrideRole } from '../../engine/create/may-set-variables.js'

export type Visibility = 'private' | 'internal' | 'public'

/** `disabled_and_overridable`: off, but a project in the group may switch them on again. */
export type SharedRunnersSetting = 'enabled' | 'disabled_and_overridable' | 'disabled_and_unoverridable'

export interface NamespaceTable {
  id: Id
  kind: 'user' | 'group'
  name: string
  path: string
  full_path: string
  parent_id: number | null
  /** The user of a personal namespace, or the one who made the group; owner of every project in it. */
  owner_id: number | null
  visibility: Visibility
  /** Of a group: whether projects in it may use the runners of the instance. */
  shared_runners_setting: Default<SharedRunnersSetting>
  /** SHA-256 of the token that registers runners of the group; null until one was asked for. */
  runners_token_digest: string | null
  created_at: Timestamp
}

export interface ProjectTable {
  id: Id
  namespace_id: number
  creator_id: number
  name: string
  path: string
  /** `<namespace full path>/<path>`; unique without regard to case. */
  full_path: string
  description: string | null
  visibility: Visibility
  /** Null until the first push of a branch. */
  default_branch: string | null
  archived: Default<boolean>
  /** Seconds. */
  build_timeout: Default<number>
  ci_config_path: string | null
  ci_default_git_depth: Default<number>
  shared_runners_enabled: Default<boolean>
  group_runners_enabled: Default<boolean>
  public_jobs: Default<boolean>
  /** Whether the newest successful pipeline of each ref keeps its artifacts (CI language, 16.3). */
  keep_latest_artifact: Default<boolean>
  /** Whether a new pipeline cancels the older ones of its ref that it makes redundant (CI language, 12.6). */
  auto_cancel_pending_pipelines: Default<boolean>
  /** Whether only some may give variables to a pipeline or a job: this role and those above it. */
  /** Whether jobs fail that would deploy older code over newer, and may yet be repeated if they had succeeded (CI language, 15.4). */
  ci_forward_deployment_enabled: Default<boolean>
  ci_forward_deployment_rollback_allowed: Default<boolean>
  /** Only maintainers may give variables to a pipeline or a job. */
  restrict_user_defined_variables: Default<boolean>
  pipeline_variables_minimum_override_role: Default<OverrideRole>
  /** Registration token of project runners: digest to find it, ciphertext to show it to maintainers. */
  runners_token_digest: string
  runners_token_encrypted: string
  /** Last `iid` given to a pipeline. */
  pipeline_count: Default<number>
  created_at: Timestamp
  updated_at: Timestamp
  last_activity_at: Timestamp
}
