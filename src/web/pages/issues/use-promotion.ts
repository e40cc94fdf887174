import { projectApi } from '../../../addresses/first-reads.js'
import type { FullProject } from '../../../coordinator/hosting/projects/record/schema.js'
import { MINUTE } from '../../../lib/time-units.js'
import { useRead } from '../../api/use-read.js'
import { useGroupAbilities } from '../../frame/use-abilities.js'
import type { PlanOwner } from './plan-owner.js'

/** Path of the group to which the user may promote labels or milestones of the owner; undefined if there is none. */
export function usePromotion({ kind, path }: PlanOwner, of: 'labels' | 'milestones'): string | undefined {
  const project = useRead<FullProject>(kind === 'project' ? projectApi(path) : undefined, {
    staleTime: MINUTE,
  }).data
  const group = project?.namespace.kind === 'group' ? project.namespace.full_path : undefined
  const { may } = useGroupAbilities(group)
  return may(`manage_group_${of}`) ? group : undefined
}
