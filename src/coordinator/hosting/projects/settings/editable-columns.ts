import type { Updateable } from 'kysely'

import { FEATURE_COLUMNS, FEATURE_SWITCHES, SWITCH_NAMES } from '../../../access/project-features.js'
import type {
  FeatureLevel,
  OverrideRole,
  ProjectTable,
  SiteLevel,
} from '../../../database/tables/projects.js'
import type { EditProject } from './parameters.js'

/** Parameters with the same name and meaning as their column. */
const PLAIN = [
  ...(['description', 'visibility', 'default_branch', 'ci_default_git_depth', 'build_timeout'] as const),
  ...(['build_git_strategy', 'build_coverage_regex', 'shared_runners_enabled'] as const),
  ...(['group_runners_enabled', 'keep_latest_artifact', 'ci_forward_deployment_enabled'] as const),
  ...(['ci_forward_deployment_rollback_allowed', 'max_artifacts_size', 'auto_devops_enabled'] as const),
  ...(['ci_delete_pipelines_in_seconds', 'hold_failed_jobs_minimum_role'] as const),
  ...(['allow_pipeline_trigger_approve_deployment', 'secure_files_protected_refs_only'] as const),
  ...(['auto_devops_deploy_strategy', 'merge_method', 'squash_option', 'approvals_before_merge'] as const),
  ...(['only_allow_merge_if_pipeline_succeeds', 'allow_merge_on_skipped_pipeline'] as const),
  ...(['merge_trains_enabled', 'merge_trains_limit'] as const),
  ...(['only_allow_merge_if_all_discussions_are_resolved', 'resolve_outdated_diff_discussions'] as const),
  ...(['only_allow_merge_if_all_status_checks_passed'] as const),
  ...(['remove_source_branch_after_merge', 'printing_merge_request_link_enabled'] as const),
  ...(['merge_commit_template', 'squash_commit_template', 'suggestion_commit_message'] as const),
  ...(['autoclose_referenced_issues', 'request_access_enabled', 'lfs_enabled', 'emails_disabled'] as const),
]

/** Columns that users set when they create or edit a project; parameters that are not given are left out. */
export function columnsOf(params: EditProject): Updateable<ProjectTable> {
  const { public_builds, public_jobs = public_builds, auto_cancel_pending_pipelines: autoCancel } = params
  const role = params.ci_pipeline_variables_minimum_override_role
  return given({
    ...Object.fromEntries(PLAIN.map((name) => [name, params[name]])),
    ...levelsOf(params),
    // An empty path stands for the default path of the CI file.
    ci_config_path: params.ci_config_path === '' ? null : params.ci_config_path,
    public_jobs,
    restrict_user_defined_variables: params.restrict_user_defined_variables ?? isRestriction(role),
    pipeline_variables_minimum_override_role: role,
    auto_cancel_pending_pipelines: autoCancel && autoCancel === 'enabled',
  })
}

/** The newer parameter names take precedence over the older ones. */
function levelsOf(params: EditProject): Updateable<ProjectTable> {
  const bySwitch = SWITCH_NAMES.map((name): [string, FeatureLevel | undefined] => {
    const isOn = params[name]
    return [FEATURE_SWITCHES[name], isOn === undefined ? undefined : isOn ? 'enabled' : 'disabled']
  })
  const byName = FEATURE_COLUMNS.map((column): [string, SiteLevel | undefined] => {
    const level = params[column]
    return [column, level === 'public' && column !== 'pages_access_level' ? 'enabled' : level]
  })
  return { ...given(Object.fromEntries(bySwitch)), ...given(Object.fromEntries(byName)) }
}

/** Topics by either parameter name; undefined = unchanged. */
export function topicsOf({ topics, tag_list }: EditProject): string[] | undefined {
  const all = (topics ?? tag_list)?.map((topic) => topic.trim()).filter((topic) => topic !== '')
  return all && [...new Map(all.map((topic) => [topic.toLowerCase(), topic])).values()]
}

/** Setting a role enables the restriction; the role developer means no restriction. */
function isRestriction(role: OverrideRole | undefined): boolean | undefined {
  return role === undefined ? undefined : role !== 'developer'
}

function given<T extends object>(values: T): Partial<T> {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Partial<T>
}
