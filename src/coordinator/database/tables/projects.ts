import type { Default, Id, Timestamp } from '../columns.js'

export type Visibility = 'private' | 'internal' | 'public'

/** Access to a feature of a project: no one, its members, or everyone who may see the project (API, A15). */
export type FeatureLevel = 'disabled' | 'private' | 'enabled'
/** Who reads the site of a project: `public` is everybody, also of a private project. */
export type SiteLevel = FeatureLevel | 'public'

type ImportStatus = 'none' | 'scheduled' | 'started' | 'finished' | 'failed'

/** A minimum role: to set variables of pipelines and jobs, or for failed jobs to be held. */
export type OverrideRole = 'no_one_allowed' | 'developer' | 'maintainer' | 'owner'

/** `disabled_and_overridable`: disabled, but projects in the group may enable them. */
type SharedRunnersSetting = 'enabled' | 'disabled_and_overridable' | 'disabled_and_unoverridable'

/** Minimum role to create projects in a group. */
type ProjectCreationLevel = 'noone' | 'maintainer' | 'developer'

/** Minimum role to create subgroups. */
type SubgroupCreationLevel = 'owner' | 'maintainer'

export interface NamespaceTable {
  id: Id
  kind: 'user' | 'group'
  name: string
  path: string
  full_path: string
  parent_id: number | null
  /**
   * User of a personal namespace, who owns every project in it; null for a group, whose owners are members.
   */
  owner_id: number | null
  visibility: Visibility
  description: string | null
  /** File name of the avatar of a group; null without one. */
  avatar: string | null
  /** Blob key of the avatar. */
  avatar_key: string | null
  /** Whether projects and groups inside must not be shared with other groups. */
  share_with_group_lock: Default<boolean>
  /** Whether projects inside cannot have direct members. */
  membership_lock: Default<boolean>
  /** Whether users may request access. */
  request_access_enabled: Default<boolean>
  require_two_factor_authentication: Default<boolean>
  /** In hours. */
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
  /** Whether projects of the group may use instance runners. */
  shared_runners_setting: Default<SharedRunnersSetting>
  /** SHA-256 of the registration token for group runners; null until one is requested. */
  runners_token_digest: string | null
  /** The token, encrypted, to show it to owners; null if it was created before tokens were stored. */
  runners_token_encrypted: string | null
  /** Last `iid` assigned to a milestone of the group. */
  milestone_count: Default<number>
  /** Last `iid` assigned to an epic of the group. */
  epic_count: Default<number>
  created_at: Timestamp
  /** For groups; null = unchanged since its creation. */
  updated_at: Timestamp | null
}

/** One row for each ancestor of a group, and one for the group itself. Personal namespaces have no rows. */
export interface GroupTreeTable {
  group_id: number
  ancestor_id: number
}

/** A group whose deletion is not finished. */
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
  /** `<namespace full path>/<path>`; unique, case-insensitive. */
  full_path: string
  description: string | null
  visibility: Visibility
  /** Null until the first push of a branch. */
  default_branch: string | null
  archived: Default<boolean>
  /** Time at which it was marked for deletion, which follows some days later; null = not marked. */
  marked_for_deletion_at: Timestamp | null
  /** The user who marked it; null if that user is deleted, or if it is not marked. */
  marked_for_deletion_by_id: number | null
  /** Time since which its rows are being deleted in steps; nobody sees the project any more. Null = it exists. */
  deletion_started_at: Timestamp | null
  /** Name and path after it is restored; null = it is not marked. */
  name_when_restored: string | null
  path_when_restored: string | null
  /** In seconds. */
  build_timeout: Default<number>
  ci_config_path: string | null
  /** Age after which its pipelines are deleted; null = the limit of the instance. */
  ci_delete_pipelines_in_seconds: number | null
  /** Part of the keys of caches; raised when the caches are cleared. */
  jobs_cache_index: Default<number>
  ci_default_git_depth: Default<number>
  shared_runners_enabled: Default<boolean>
  group_runners_enabled: Default<boolean>
  public_jobs: Default<boolean>
  /** Whether the artifacts of the latest successful pipeline of each ref are kept (CI language, 16.3). */
  keep_latest_artifact: Default<boolean>
  /**
   * Whether a new pipeline cancels older pipelines of its ref that it makes redundant (CI language, 12.6).
   */
  auto_cancel_pending_pipelines: Default<boolean>
  /**
   * Whether jobs that would deploy older code over newer code fail, and whether such jobs may be retried if
   * they had succeeded (CI language, 15.4).
   */
  ci_forward_deployment_enabled: Default<boolean>
  ci_forward_deployment_rollback_allowed: Default<boolean>
  /** Whether the user who triggered a deployment may approve it. */
  allow_pipeline_trigger_approve_deployment: Default<boolean>
  /** Whether only jobs on protected refs get secure files. */
  secure_files_protected_refs_only: Default<boolean>
  /**
   * Whether a minimum role is required to set variables of pipelines and jobs; the role is in the column
   * below.
   */
  restrict_user_defined_variables: Default<boolean>
  pipeline_variables_minimum_override_role: Default<OverrideRole>
  /** Failed jobs of users with this role are held, unless a variable of the job says otherwise. */
  hold_failed_jobs_minimum_role: Default<OverrideRole>
  /** Whether job tokens of other projects are accepted only if they are on the allowlist. */
  job_token_scope_enabled: Default<boolean>
  /**
   * Registration token of project runners: a digest to find it, and the encrypted token to show it to
   * maintainers.
   */
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
  pages_access_level: Default<SiteLevel>
  container_registry_access_level: Default<FeatureLevel>
  resolve_outdated_diff_discussions: Default<boolean>
  lfs_enabled: Default<boolean>
  request_access_enabled: Default<boolean>
  only_allow_merge_if_pipeline_succeeds: Default<boolean>
  only_allow_merge_if_all_discussions_are_resolved: Default<boolean>
  only_allow_merge_if_all_status_checks_passed: Default<boolean>
  allow_merge_on_skipped_pipeline: Default<boolean>
  /** Whether merges after pipelines go through a merge train. */
  merge_trains_enabled: Default<boolean>
  /** Maximum number of pipelines that a merge train runs at the same time. */
  merge_trains_limit: Default<number>
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
  /** Whether a push to the source branch of a merge request removes its approvals. */
  reset_approvals_on_push: Default<boolean>
  /** Whether it takes over branches of another repository. */
  mirror: Default<boolean>
  /** Whether authors may approve their own merge requests. */
  merge_requests_author_approval: Default<boolean>
  /** Whether merge requests may not have approval rules of their own. */
  disable_overriding_approvers_per_merge_request: Default<boolean>
  /** In megabytes; null = the limit of the instance. */
  max_artifacts_size: number | null
  /** Source of a fork; null also if the source was deleted. */
  forked_from_id: number | null
  /** Progress of filling the repository from another source; `none` = it has no other source. */
  import_status: Default<ImportStatus>
  import_error: string | null
  /** `gitlab_project`: from an archive. Null = neither imported nor a fork. */
  import_type: 'git' | 'fork' | 'gitlab_project' | null
  /** File name and blob key of the avatar; null without one. */
  avatar_name: string | null
  avatar_key: string | null
  star_count: Default<number>
  /** Sum of all sizes in bytes, as of the latest run of `update-storage-sizes`. */
  storage_size: Default<number>
  /** Last `iid` assigned to a pipeline. */
  pipeline_count: Default<number>
  /** Last `iid` assigned to an issue. */
  issue_count: Default<number>
  /** Number of open issues, including confidential ones. */
  open_issue_count: Default<number>
  open_confidential_issue_count: Default<number>
  /** Last `iid` assigned to a merge request. */
  merge_request_count: Default<number>
  /** Number of merge requests that are open or being merged. */
  open_merge_request_count: Default<number>
  /** Last `iid` assigned to a milestone. */
  milestone_count: Default<number>
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

/**
 * A project to be filled from another project, a URL or an archive. The worker that finishes the import
 * deletes the row.
 */
export interface ProjectImportTable {
  id: Id
  project_id: number
  source_project_id: number | null
  source_url_encrypted: string | null
  /** The only branch to copy; null = all. */
  branch: string | null
  user_id: number
  created_at: Timestamp
  /** End of the claim of a worker; null = unclaimed. */
  claimed_until: Timestamp | null
  /** Blob key of the archive, below the folder of the project. */
  archive_key: string | null
  /** JSON: settings that override those of the archive. */
  settings: string | null
  /** Progress: all earlier parts are imported, and this part up to the line before this one. */
  part: string | null
  line: Default<number>
  /** Name of the project after the import; null = unchanged. */
  final_name: string | null
  final_path: string | null
  /** The project that it replaces after the import. */
  overwrites_id: number | null
  /** Whether the import is finished and only its archive must be deleted. */
  settled: Default<boolean>
}

/** A record of an archive that could not be imported. */
export interface ProjectImportProblemTable {
  id: Id
  project_id: number
  part: string
  /** From 1. */
  line: number
  message: string
  created_at: Timestamp
}

/** A project export: a requested archive, a finished archive, or both. */
export interface ProjectExportTable {
  id: Id
  project_id: number
  /** Description in the archive; null = that of the project. */
  description: string | null
  /** Time of the request; null = no archive is requested. */
  requested_at: Timestamp | null
  /** End of the claim of a worker; null = unclaimed. */
  claimed_until: Timestamp | null
  /** Blob key of the finished archive; null = none. */
  blob_key: string | null
  /** In bytes. */
  size: number | null
  /** Blob key of the previous archive, until it is deleted. */
  stale_key: string | null
  /** End time of the last export, successful or not. */
  finished_at: Timestamp | null
  /** Error of the last export; null = it succeeded. */
  error: string | null
}

/** Deleted projects whose files may remain. */
export interface RemovedProjectTable {
  project_id: number
  created_at: Timestamp
}

export interface ProjectUploadTable {
  id: Id
  project_id: number
  uploader_id: number | null
  /** 32 hexadecimal digits, which cannot be guessed. */
  secret: string
  filename: string
  /** Detected from the content, not from the file name. */
  content_type: string
  /** In bytes. */
  size: number
  created_at: Timestamp
}

/** A badge of a project or of a group. */
export interface BadgeTable {
  id: Id
  project_id: number | null
  group_id: number | null
  name: string | null
  link_url: string
  image_url: string
  created_at: Timestamp
}

/** An attribute of a user, a group or a project. */
export interface CustomAttributeTable {
  id: Id
  user_id: number | null
  group_id: number | null
  project_id: number | null
  key: string
  value: string
}

/** Statistics of the default branch, computed by git. */
export interface ProjectStatisticsTable {
  project_id: number
  /** Null while there is no commit. */
  head_sha: string | null
  commit_count: number
  /** In bytes. */
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
