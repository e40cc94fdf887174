import type { Updateable } from 'kysely'

import type { OverrideRole } from '../../engine/create/may-set-variables.js'
import type { EditProject } from './schema.js'
import type { ProjectTable } from './table.js'

/** The columns that people set when they create or edit a project; what was not given stays out. */
export function columnsOf(params: EditProject): Updateable<ProjectTable> {
  const { public_builds, public_jobs = public_builds, path: _path, name: _name, ...others } = params
  const role = others.ci_pipeline_variables_minimum_override_role
  const known = {
    description: others.description,
    visibility: others.visibility,
    default_branch: others.default_branch,
    ci_config_path: others.ci_config_path,
    ci_default_git_depth: others.ci_default_git_depth,
    build_timeout: others.build_timeout,
    shared_runners_enabled: others.shared_runners_enabled,
    group_runners_enabled: others.group_runners_enabled,
    public_jobs,
    keep_latest_artifact: others.keep_latest_artifact,
    restrict_user_defined_variables: others.restrict_user_defined_variables ?? isRestriction(role),
    pipeline_variables_minimum_override_role: role,
    ci_forward_deployment_enabled: others.ci_forward_deployment_enabled,
    ci_forward_deployment_rollback_allowed: others.ci_forward_deployment_rollback_allowed,
    auto_cancel_pending_pipelines: isEnabled(others.auto_cancel_pending_pipelines),
  }
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined))
}

/** Naming a role is enough to have it count; what every developer may is no restriction. */
function isRestriction(role: OverrideRole | undefined): boolean | undefined {
  return role === undefined ? undefined : role !== 'developer'
}

function isEnabled(written: 'enabled' | 'disabled' | undefined): boolean | undefined {
  return written === undefined ? undefined : written === 'enabled'
}
