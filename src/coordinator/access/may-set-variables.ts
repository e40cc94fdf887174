import type { ProjectRow } from '../database/tables/pipeline-rows.js'
import type { OverrideRole } from '../database/tables/projects.js'
import { DEVELOPER, MAINTAINER, OWNER } from './access-levels.js'

/** Values of the setting `ci_pipeline_variables_minimum_override_role`. */
export const OVERRIDE_ROLES = [
  'no_one_allowed',
  'developer',
  'maintainer',
  'owner',
] as const satisfies readonly OverrideRole[]

/** The access level of each value, which nobody has for `no_one_allowed`. */
export const OVERRIDE_LEVELS: Record<OverrideRole, number> = {
  no_one_allowed: Infinity,
  developer: DEVELOPER,
  maintainer: MAINTAINER,
  owner: OWNER,
}

type VariableRules = Pick<
  ProjectRow,
  'restrict_user_defined_variables' | 'pipeline_variables_minimum_override_role'
>

/** The role applies only if the project restricts variables. */
export function overrideRoleOf({
  restrict_user_defined_variables: isRestricted,
  pipeline_variables_minimum_override_role: role,
}: VariableRules): OverrideRole {
  return isRestricted ? role : 'developer'
}

/**
 * Whether the access level is sufficient to set variables of pipelines and jobs (CI language, 9.2, row 4).
 */
export function maySetVariables(project: VariableRules, accessLevel: number): boolean {
  return accessLevel >= OVERRIDE_LEVELS[overrideRoleOf(project)]
}
