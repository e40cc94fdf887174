import { ACCESS_LEVELS } from './access-levels.js'
import type { Feature } from './project-features.js'

interface Rule {
  /** Minimum effective level. */
  level: number
}

export interface ProjectRule extends Rule {
  /**
   * The permission depends on who may see pipelines. If `public_jobs` shows them to everyone who sees the
   * project, the guest level is sufficient. Otherwise the level must come from a membership.
   */
  asPublicJobs?: true
  /**
   * Feature to which the permission belongs. It is refused if the feature is disabled, and for visitors if
   * the feature is limited to members (API, C1). If there are several, one that is available is sufficient.
   */
  feature?: Feature | readonly Feature[]
  /** The level must come from a membership; visitors of an open project do not count as reporters. */
  membersOnly?: true
  /**
   * Changes that are allowed while the project is archived or marked for deletion, and therefore read-only
   * (API, C2). Operations on the project as a whole are allowed, and so is the revocation of access, which
   * must not wait. Default: none.
   */
  whenReadOnly?: 'all changes' | 'removals'
  /**
   * These changes are refused while the project is marked for deletion, so that it does not change until it
   * is restored.
   */
  notWhenMarked?: true
}

const { guest, reporter, developer, maintainer, owner } = ACCESS_LEVELS

/** The features whose objects have milestones and labels. */
const PLANNED = ['issues', 'merge_requests'] as const

/**
 * Permissions in a project, with their minimum level (API, A15). Users who see a project without being a
 * member have the reporter level, and administrators the owner level. Operations refer to the rules by name.
 */
const projectRules = {
  read_project: { level: guest },
  read_members: { level: guest },
  star_project: { level: guest, whenReadOnly: 'all changes' },
  set_notifications: { level: guest, whenReadOnly: 'all changes' },
  leave_project: { level: guest, whenReadOnly: 'all changes' },
  upload_files: { level: guest },
  read_releases: { level: guest, feature: 'releases' },
  read_issues: { level: guest, feature: 'issues' },
  read_release_evidence: { level: reporter, feature: 'issues' },
  read_wiki: { level: guest, feature: 'wiki' },
  write_wiki: { level: developer, feature: 'wiki' },
  delete_wiki_pages: { level: maintainer, feature: 'wiki' },
  read_snippets: { level: guest, feature: 'snippets' },
  create_snippets: { level: reporter, feature: 'snippets', membersOnly: true },
  create_issues: { level: guest, feature: 'issues' },
  read_milestones: { level: guest, feature: PLANNED },
  read_labels: { level: guest, feature: PLANNED },
  read_pipelines: { level: reporter, feature: 'builds', asPublicJobs: true },
  fork_project: { level: reporter, feature: 'forking', whenReadOnly: 'all changes' },
  read_code: { level: reporter, feature: 'repository' },
  read_environments: { level: reporter, feature: 'environments' },
  read_merge_requests: { level: reporter, feature: 'merge_requests' },
  read_pipeline_variables: { level: developer, feature: 'builds' },
  read_resource_groups: { level: developer, feature: 'builds' },
  lint_pipelines: { level: developer, feature: 'builds' },
  run_pipelines: { level: developer, feature: 'builds' },
  set_commit_status: { level: developer },
  read_caches: { level: developer, feature: 'builds' },
  manage_schedules: { level: developer, feature: 'builds' },
  read_secure_files: { level: developer },
  manage_feature_flags: { level: developer },
  manage_environments: { level: developer, feature: 'environments' },
  manage_resource_groups: { level: developer, feature: 'builds' },
  manage_releases: { level: developer, feature: 'releases' },
  take_over_schedules: { level: maintainer, feature: 'builds' },
  stop_stale_environments: { level: maintainer, feature: 'environments' },
  delete_deployments: { level: maintainer, feature: 'environments' },
  read_fetches: { level: developer, feature: 'repository' },
  push_code: { level: developer, feature: 'repository' },
  // From a branch of this project; the target must allow `read_merge_requests`.
  create_merge_requests: { level: developer, feature: 'repository' },
  plan_merge_requests: { level: reporter, feature: 'merge_requests', membersOnly: true },
  manage_merge_requests: { level: developer, feature: 'merge_requests' },
  comment_on_commits: { level: reporter, feature: 'repository' },
  manage_issues: { level: reporter, feature: 'issues', membersOnly: true },
  manage_milestones: { level: reporter, feature: PLANNED, membersOnly: true },
  manage_labels: { level: reporter, feature: PLANNED, membersOnly: true },
  delete_artifacts: { level: maintainer },
  delete_caches: { level: maintainer, feature: 'builds' },
  edit_project: { level: maintainer },
  admin_project: { level: maintainer },
  admin_members: { level: maintainer, whenReadOnly: 'removals' },
  admin_protected_refs: { level: maintainer },
  admin_protected_environments: { level: maintainer },
  admin_runners: { level: maintainer },
  admin_variables: { level: maintainer },
  admin_secure_files: { level: maintainer },
  admin_hooks: { level: maintainer },
  admin_triggers: { level: maintainer },
  admin_freeze_periods: { level: maintainer },
  admin_deploy_keys: { level: maintainer, whenReadOnly: 'removals' },
  admin_deploy_tokens: { level: maintainer, whenReadOnly: 'removals' },
  admin_access_tokens: { level: maintainer, whenReadOnly: 'removals' },
  admin_job_token_scope: { level: maintainer, whenReadOnly: 'removals' },
  read_audit_events: { level: maintainer },
  delete_issues: { level: owner, feature: 'issues' },
  delete_merge_requests: { level: owner, feature: 'merge_requests' },
  delete_pipelines: { level: owner, feature: 'builds' },
  archive_project: { level: owner, whenReadOnly: 'all changes', notWhenMarked: true },
  transfer_project: { level: owner, whenReadOnly: 'all changes', notWhenMarked: true },
  admin_fork_relation: { level: owner },
  remove_project: { level: owner, whenReadOnly: 'all changes' },
} satisfies Record<string, ProjectRule>

/**
 * Permissions in a group, with their minimum level (API, A15). Users who see a group without being a member
 * have the guest level.
 */
const groupRules = {
  read_group: { level: guest },
  read_group_members: { level: guest },
  leave_group: { level: guest },
  set_group_notifications: { level: guest },
  read_group_milestones: { level: guest },
  read_group_labels: { level: guest },
  read_group_boards: { level: guest },
  read_epics: { level: guest },
  read_group_wiki: { level: guest },
  write_group_wiki: { level: developer },
  delete_group_wiki_pages: { level: maintainer },
  manage_group_milestones: { level: reporter },
  manage_group_labels: { level: reporter },
  manage_group_boards: { level: reporter },
  manage_epics: { level: reporter },
  admin_group_protected_environments: { level: maintainer },
  admin_group_members: { level: owner },
  admin_group: { level: owner },
  delete_epics: { level: owner },
  read_group_audit_events: { level: owner },
  admin_group_runners: { level: owner },
  admin_group_variables: { level: owner },
  admin_group_hooks: { level: owner },
  admin_group_deploy_tokens: { level: owner },
} satisfies Record<string, Rule>

export type ProjectPermission = keyof typeof projectRules
export type GroupPermission = keyof typeof groupRules

export const PROJECT_RULES: Record<ProjectPermission, ProjectRule> = projectRules
export const GROUP_RULES: Record<GroupPermission, Rule> = groupRules

export const PROJECT_PERMISSIONS = Object.keys(projectRules) as ProjectPermission[]
export const GROUP_PERMISSIONS = Object.keys(groupRules) as GroupPermission[]

/**
 * Access to an operation: a permission in the project or group of its path (`/projects/:id`, `/groups/:id`),
 * or one of three words. `anyone` includes anonymous callers. Operations for runners use `anyone` and check
 * the token of the runner or job themselves, because it is sent in the body or a header.
 */
export type Access = 'anyone' | 'user' | 'administrator' | ProjectPermission | GroupPermission
