import { recordOf } from '../../lib/record-of.js'
import { type AccessQuery, isForCaller, may, refusedChanges } from './access.js'
import type { Project } from './caller.js'
import {
  GROUP_PERMISSIONS,
  GROUP_RULES,
  type GroupPermission,
  PROJECT_PERMISSIONS,
  type ProjectPermission,
} from './permissions.js'
import { type Feature, FEATURES, isFeatureThere } from './project-features.js'
import { whyReadOnly } from './read-only.js'

/** What a caller may do in a project. */
export interface ProjectAbilities {
  /** Effective level. */
  level: number
  /** Permissions by role and features, whether or not the project is read-only. */
  may: ProjectPermission[]
  read_only: ReturnType<typeof whyReadOnly> | null
  /** Permissions of `may` for which the read-only project refuses every change. */
  frozen: ProjectPermission[]
  /** Permissions of `may` for which the read-only project refuses every change but `DELETE`. */
  removals_only: ProjectPermission[]
  /** Whether a feature is available to the caller. */
  features: Record<Feature, boolean>
}

interface ProjectQuery extends AccessQuery {
  project: Project
}

/** The abilities of one caller in one project, by the table of permissions. */
export function projectAbilities({ project, accessLevel, membership }: ProjectQuery): ProjectAbilities {
  const query = { project, accessLevel, membership }
  const allowed = PROJECT_PERMISSIONS.filter((permission) => may(permission, query))
  return {
    level: accessLevel,
    may: allowed,
    read_only: whyReadOnly(project) ?? null,
    frozen: allowed.filter((permission) => refusedChanges(permission, project) === 'all'),
    removals_only: allowed.filter((permission) => refusedChanges(permission, project) === 'all but removals'),
    features: recordOf(
      FEATURES,
      (feature) => isFeatureThere(`${feature}_access_level`) && isForCaller(feature, query),
    ),
  }
}

/** What a caller may do in a group. */
export interface GroupAbilities {
  /** Effective level. */
  level: number
  may: GroupPermission[]
}

/** The abilities of a caller with this effective level in a group. */
export function groupAbilities(accessLevel: number): GroupAbilities {
  return {
    level: accessLevel,
    may: GROUP_PERMISSIONS.filter((permission) => accessLevel >= GROUP_RULES[permission].level),
  }
}
