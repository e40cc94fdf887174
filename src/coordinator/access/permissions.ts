import type { Feature } from './project-features.js'

/** Effective levels in a project or group (API, A15). */
export const LEVELS = { guest: 10, reporter: 20, developer: 30, maintainer: 40, owner: 50 } as const

interface Rule {
  /** The least effective level that suffices. */
  level: number
}

export interface ProjectRule extends Rule {
  /**
   * Goes with the pipelines: where the project shows them to everyone who sees it (`public_jobs`), guests and visitors
   * suffice; where it does not, the level must come from a membership.
   */
  asPublicJobs?: true
  /**
   * What it is a part of: refused where that is switched off, and for visitors where it is kept for members (API, C1).
   */
  feature?: Feature
  /**
   * Which changes go on while the project is archived or marked for deletion. It can then be read only (API, C2);
   * what is done with it as a whole goes on, and so does taking access to it away from somebody, which must not have to
   * wait. Default: none.
   */
  whenReadOnly?: 'all changes' | 'removals'
  /** Not even those go on while it is marked for deletion: it stays as and where it is until it is restored. */
  notWhenMarked?: true
}

const { guest, reporter, developer, maintainer, owner } = LEVELS

/**
 * What may be done in a project, and who may do it (API, A15). Whoever sees a project without being a member has
 * the level of a reporter there, and an administrator that of an owner. The operations refer to these rules by name.
 */
const projectRules = {
  read_project: { level: guest },
  read_members: { level: guest },
  star_project: { level: guest, whenReadOnly: 'all changes' },
  leave_project: { level: guest, whenReadOnly: 'all changes' },
  upload_files: { level: guest },
  read_releases: { level: guest, feature: 'releases' },
  read_pipelines: { level: reporter, feature: 'builds', asPublicJobs: true },
  fork_project: { level: reporter, feature: 'forking', whenReadOnly: 'all changes' },
  read_code: { level: reporter, feature: 'repository' },
  read_environments: { level: reporter, feature: 'environments' },
  read_pipeline_variables: { level: developer, feature: 'builds' },
  read_resource_groups: { level: developer, feature: 'builds' },
  lint_pipelines: { level: developer, feature: 'builds' },
  run_pipelines: { level: developer, feature: 'builds' },
  set_commit_status: { level: developer },
  manage_schedules: { level: developer, feature: 'builds' },
  read_secure_files: { level: developer },
  manage_environments: { level: developer, feature: 'environments' },
  manage_resource_groups: { level: developer, feature: 'builds' },
  manage_releases: { level: developer, feature: 'releases' },
  take_over_schedules: { level: maintainer, feature: 'builds' },
  stop_stale_environments: { level: maintainer, feature: 'environments' },
  delete_deployments: { level: maintainer, feature: 'environments' },
  read_fetches: { level: developer, feature: 'repository' },
  push_code: { level: developer, feature: 'repository' },
  comment_on_commits: { level: reporter, feature: 'repository' },
  delete_artifacts: { level: maintainer },
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
  admin_deploy_keys: { level: maintainer, whenReadOnly: 'removals' },
  admin_deploy_tokens: { level: maintainer, whenReadOnly: 'removals' },
  admin_access_tokens: { level: maintainer, whenReadOnly: 'removals' },
  admin_job_token_scope: { level: maintainer, whenReadOnly: 'removals' },
  read_audit_events: { level: maintainer },
  delete_pipelines: { level: owner, feature: 'builds' },
  archive_project: { level: owner, whenReadOnly: 'all changes', notWhenMarked: true },
  transfer_project: { level: owner, whenReadOnly: 'all changes', notWhenMarked: true },
  admin_fork_relation: { level: owner },
  remove_project: { level: owner, whenReadOnly: 'all changes' },
} satisfies Record<string, ProjectRule>

/** What may be done in a group, and who may do it (API, A15). Whoever merely sees a group has the level of a guest. */
const groupRules = {
  read_group: { level: guest },
  read_group_members: { level: guest },
  leave_group: { level: guest },
  admin_group_protected_environments: { level: maintainer },
  admin_group_members: { level: owner },
  admin_group: { level: owner },
  read_group_audit_events: { level: owner },
  admin_group_runners: { level: owner },
  admin_group_variables: { level: owner },
  admin_group_deploy_tokens: { level: owner },
} satisfies Record<string, Rule>

export type ProjectPermission = keyof typeof projectRules
export type GroupPermission = keyof typeof groupRules

export const PROJECT_RULES: Record<ProjectPermission, ProjectRule> = projectRules
export const GROUP_RULES: Record<GroupPermission, Rule> = groupRules

/**
 * Who may call an operation: a permission in the project or group of its path (`/projects/:id`, `/groups/:id`), or one
 * of three words. `anyone` includes callers without a credential; operations for runners are open to `anyone` and check
 * the runner's or job's token themselves, because it travels in body or header.
 */
export type Access = 'anyone' | 'user' | 'administrator' | ProjectPermission | GroupPermission
