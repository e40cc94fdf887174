import type { SingleMergeRequest } from '../../../coordinator/planning/merge-requests/record-schema.js'
import { boot } from '../../api/boot.js'
import { useProjectAbilities } from '../../frame/use-abilities.js'

/** Whether the user may change a merge request: developers any, authors and assignees their own. */
export function useMayChange(project: string, { author, assignees }: SingleMergeRequest) {
  const { may, reasonAgainst } = useProjectAbilities(project)
  const own = [author, ...assignees].some((user) => user?.id === boot.user?.id)
  return {
    mayChange: boot.user !== null && (own || may('manage_merge_requests')),
    reason: reasonAgainst('manage_merge_requests'),
  }
}
