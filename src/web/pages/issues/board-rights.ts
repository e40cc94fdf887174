import { boot } from '../../api/boot.js'
import { useGroupAbilities, useProjectAbilities } from '../../frame/use-abilities.js'
import type { PlanOwner } from './plan-owner.js'

interface BoardRights {
  /** The user may change boards and their lists, and move issues. */
  mayManage: boolean
  /** Why nothing can be changed now. */
  reason: string | undefined
}

/** What the user may do with the boards of a project or group. */
export function useBoardRights({ kind, path }: PlanOwner): BoardRights {
  const inProject = useProjectAbilities(kind === 'project' ? path : undefined)
  const inGroup = useGroupAbilities(kind === 'group' ? path : undefined)
  if (!boot.user) return { mayManage: false, reason: undefined }
  return kind === 'group'
    ? { mayManage: inGroup.may('manage_group_boards'), reason: undefined }
    : { mayManage: inProject.may('manage_issues'), reason: inProject.reasonAgainst('manage_issues') }
}
