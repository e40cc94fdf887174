import { type Abilities, useGroupAbilities, useProjectAbilities } from '../../frame/use-abilities.js'
import type { PlanOwner } from './plan-owner.js'

interface PlanRights {
  abilities: Abilities
  /** The user may create, change and delete them. */
  mayManage: boolean
  /** Why nothing can be changed now. */
  reason: string | undefined
}

/** What the user may do with the labels or milestones of a project or group. */
export function usePlanRights({ kind, path }: PlanOwner, of: 'labels' | 'milestones'): PlanRights {
  const inProject = useProjectAbilities(kind === 'project' ? path : undefined)
  const inGroup = useGroupAbilities(kind === 'group' ? path : undefined)
  if (kind === 'group') {
    return { abilities: inGroup, mayManage: inGroup.may(`manage_group_${of}`), reason: undefined }
  }
  const permission = `manage_${of}`
  return {
    abilities: inProject,
    mayManage: inProject.may(permission),
    reason: inProject.reasonAgainst(permission),
  }
}
