import type { Default, Id, Timestamp } from '../columns.js'

export type Visibility = 'private' | 'internal' | 'public'

/** Whom a feature of a project is for: nobody, its members, or whoever may see the project (API, A15). */
export type FeatureLevel = 'disabled' | 'private' | 'enabled'

export type ImportStatus = 'none' | 'scheduled' | 'started' | 'finished' | 'failed'

/** Who may give variables to pipelines and jobs: this role and those above it. */
export type OverrideRole = 'no_one_allowed' | 'developer' | 'maintainer' | 'owner'

/** `disabled_and_overridable`: off, but a project in the group may switch them on again. */
export type SharedRunnersSetting = 'enabled' | 'disabled_and_overridable' | 'disabled_and_unoverridable'

/** Who may create projects in a group. */
export type ProjectCreationLevel = 'noone' | 'maintainer' | 'developer'

/** Who may create groups in a group. */
export type SubgroupCreationLevel = 'owner' | 'maintainer'

export interface NamespaceTable {
  id: Id
  kind: 'user' | 'group'
  name: string
  path: string
  full_path: string
  parent_id: number | null
  /** The user of a personal namespace, who owns every project in it; null for a group, whose owners are members of it. */
  owner_id: number | null
  visibility: Visibility
  description: string | null
  /** File name of a group's picture, null without one. */
  avatar: string | null
  /** Where it lies in the blob store. */
  avatar_key: string | null
  /** Whether projects and groups inside may not be shared with other groups. */
  share_with_group_lock: Default<boolean>
  /** Whether projects inside take no members of their own. */
  membership_lock: Default<boolean>
  /** Whether users may ask to become members. */
  request_access_enabled: Default<boolean>
  require_two_factor_authentication: Default<boolean>
  /** Hours. */
  two_factor_grace_period: Default<number>
  project_creation_level: Default<ProjectCreationLevel>
  subgroup_creation_level: Default<SubgroupCreationLevel>
  auto_devops_enabled: boolean | null
  emails_disabled: boolean | null
  mentions_disabled: boolean | null
  lfs_enabled: Default<boolean>
  default_branch_protection: Default<number>
  default_branch: string | null
  prevent_forking_outside_group: Default<boolean>
  file_template_project_id: number | null
  shared_runners_minutes_limit: number | null
  extra_shared_runners_minutes_limit: number | null
  /** Of a group: whether projects in it may use the runners of the instance. */
  shared_runners_setting: Default<SharedRunnersSetting>
  /** SHA-256 of the token that registers runners of the group; null until one was asked for. */
  runners_token_digest: string | null
  /** The same token for its owners to read; null when it was made before it was kept. */
  runners_token_encrypted: string | null
  created_at: Timestamp
  /** Of a group; null = not since it was created. */
  updated_at: Timestamp | null
}

/** A row for each group that a group lies in, and one for itself. Personal namespaces are not in it. */
export interface GroupTreeTable {
  group_id: number
  ancestor_id: number
}

/** A group that is to be removed, until it is. */
export interface GroupRemovalTable {
  group_id: number
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
  /** When somebody deleted it, which is done some days later; null = it stays. */
  marked_for_deletion_at: Timestamp | null
  /** What it is called again when it is restored; null = it is not marked. */
  name_when_restored: string | null
  path_when_restored: string | null
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
  /** Whether jobs fail that would deploy older code over newer, and may yet be repeated if they had succeeded (CI language, 15.4). */
  ci_forward_deployment_enabled: Default<boolean>
  ci_forward_deployment_rollback_allowed: Default<boolean>
  /** Whether the user who has triggered a deployment may approve it. */
  allow_pipeline_trigger_approve_deployment: Default<boolean>
  /** Whether jobs get secure files on protected refs alone. */
  secure_files_protected_refs_only: Default<boolean>
  /** Whether only some may give variables to a pipeline or a job: the role below and those above it. */
  restrict_user_defined_variables: Default<boolean>
  pipeline_variables_minimum_override_role: Default<OverrideRole>
  /** Whether it lets in the jobs of listed projects alone, beside its own; otherwise those of every project. */
  job_token_scope_enabled: Default<boolean>
  /** Registration token of project runners: digest to find it, ciphertext to show it to maintainers. */
  runners_token_digest: string
  runners_token_encrypted: string
  repository_access_level: Default<FeatureLevel>
  builds_access_level: Default<FeatureLevel>
  forking_access_level: Default<FeatureLevel>
  releases_access_level: Default<FeatureLevel>
  environments_access_level: Default<FeatureLevel>
  issues_access_level: Default<FeatureLevel>
  merge_requests_access_level: Default<FeatureLevel>
  wiki_access_level: Default<FeatureLevel>
  snippets_access_level: Default<FeatureLevel>
  operations_access_level: Default<FeatureLevel>
  analytics_access_level: Default<FeatureLevel>
  pages_access_level: Default<FeatureLevel>
  container_registry_access_level: Default<FeatureLevel>
  resolve_outdated_diff_discussions: Default<boolean>
  lfs_enabled: Default<boolean>
  request_access_enabled: Default<boolean>
  only_allow_merge_if_pipeline_succeeds: Default<boolean>
  only_allow_merge_if_all_discussions_are_resolved: Default<boolean>
  allow_merge_on_skipped_pipeline: Default<boolean>
  remove_source_branch_after_merge: Default<boolean>
  autoclose_referenced_issues: Default<boolean>
  printing_merge_request_link_enabled: Default<boolean>
  auto_devops_enabled: Default<boolean>
  emails_disabled: Default<boolean>
  merge_method: Default<'merge' | 'rebase_merge' | 'ff'>
  squash_option: Default<'never' | 'always' | 'default_on' | 'default_off'>
  build_git_strategy: Default<'fetch' | 'clone'>
  auto_devops_deploy_strategy: Default<'continuous' | 'manual' | 'timed_incremental'>
  build_coverage_regex: string | null
  suggestion_commit_message: string | null
  merge_commit_template: string | null
  squash_commit_template: string | null
  approvals_before_merge: Default<number>
  /** Megabytes; null = as the instance sets it. */
  max_artifacts_size: number | null
  /** Of a fork; null also when the project it was made of is gone. */
  forked_from_id: number | null
  /** How far the repository is filled from elsewhere; `none` = it is not. */
  import_status: Default<ImportStatus>
  import_error: string | null
  /** `gitlab_project`: of an archive. Null = neither imported nor a fork. */
  import_type: 'git' | 'fork' | 'gitlab_project' | null
  /** File name and blob of the picture; null without one. */
  avatar_name: string | null
  avatar_key: string | null
  star_count: Default<number>
  /** Last `iid` given to a pipeline. */
  pipeline_count: Default<number>
  created_at: Timestamp
  updated_at: Timestamp
  last_activity_at: Timestamp
}

export interface ProjectTopicTable {
  project_id: number
  name: string
  position: number
}

export interface ProjectStarTable {
  user_id: number
  project_id: number
  created_at: Timestamp
}

/** A project that is still to be filled: from another one, an address or an archive. Whoever does it deletes the row. */
export interface ProjectImportTable {
  id: Id
  project_id: number
  source_project_id: number | null
  source_url_encrypted: string | null
  /** The only branch that is wanted; null = all. */
  branch: string | null
  user_id: number
  created_at: Timestamp
  /** Until when the coordinator that is at it is believed to be alive; null = nobody is. */
  claimed_until: Timestamp | null
  /** The archive, below the folder of the project. */
  archive_key: string | null
  /** JSON: settings that count more than those of the archive. */
  settings: string | null
  /** What has been made of the archive: everything before this line of this part, and all parts before it. */
  part: string | null
  line: Default<number>
  /** What the project is called when it is there; null = as it is now. */
  final_name: string | null
  final_path: string | null
  /** The project whose place it takes then. */
  overwrites_id: number | null
  /** Over; the archive is still to be deleted. */
  settled: Default<boolean>
}

/** A record of an archive that could not be made again. */
export interface ProjectImportProblemTable {
  id: Id
  project_id: number
  part: string
  /** From 1. */
  line: number
  message: string
  created_at: Timestamp
}

/** The archive of a project that somebody has asked for: one that is to be made, one that is there, or both. */
export interface ProjectExportTable {
  id: Id
  project_id: number
  /** Described so in the archive; null = as the project is. */
  description: string | null
  /** When the one that is to be made was asked for; null = none is. */
  requested_at: Timestamp | null
  /** Until when the coordinator that is at it is believed to be alive; null = nobody is. */
  claimed_until: Timestamp | null
  /** The one that is there; null = none is. */
  blob_key: string | null
  /** Bytes. */
  size: number | null
  /** One that was there before, until its bytes are gone. */
  stale_key: string | null
  /** When the last one was made, or failed. */
  finished_at: Timestamp | null
  /** Why the last one failed; null = it did not. */
  error: string | null
}

/** Projects that were deleted while files of theirs may be left. */
export interface RemovedProjectTable {
  project_id: number
  created_at: Timestamp
}

export interface ProjectUploadTable {
  id: Id
  project_id: number
  uploader_id: number | null
  /** 32 hex digits, which nobody can guess. */
  secret: string
  filename: string
  /** What the bytes are, not what they were called. */
  content_type: string
  /** Bytes. */
  size: number
  created_at: Timestamp
}

/** Of a project or of a group. */
export interface BadgeTable {
  id: Id
  project_id: number | null
  group_id: number | null
  name: string | null
  link_url: string
  image_url: string
  created_at: Timestamp
}

/** Of a user, a group or a project. */
export interface CustomAttributeTable {
  id: Id
  user_id: number | null
  group_id: number | null
  project_id: number | null
  key: string
  value: string
}

/** What git was asked about the default branch, and when. */
export interface ProjectStatisticsTable {
  project_id: number
  /** Null while there is no commit. */
  head_sha: string | null
  commit_count: number
  /** Bytes. */
  repository_size: number
  readme_path: string | null
  license_path: string | null
  license_key: string | null
  measured_at: Timestamp
}

/** Bytes of the files of a language on the default branch. */
export interface ProjectLanguageTable {
  project_id: number
  name: string
  bytes: number
}
