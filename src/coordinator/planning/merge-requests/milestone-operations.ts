import { Type } from 'typebox'

import { may } from '../../access/access.js'
import { findMilestone, type MilestoneOwner, type MilestoneRow } from '../../hosting/milestone-store.js'
import { notFound } from '../../http/errors.js'
import { type Operation, operation } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { described } from '../../http/parameters/described.js'
import { listMergeRequests, listProjectMergeRequests } from './list.js'
import { presentListedMergeRequests } from './listed-record.js'
import type { PresentDeps } from './present.js'
import { ListedMergeRequest } from './record-schema.js'

const ByMilestone = Type.Object({ milestone_id: described(Type.Integer(), 'ID of the milestone.') })

/** The merge requests of a milestone that the caller may read (API, G4). */
export function milestoneMergeRequestOperations(deps: PresentDeps): Operation[] {
  const { database } = deps
  const list = {
    params: ByMilestone,
    responses: { 200: Type.Array(ListedMergeRequest) },
    paginated: true,
  } as const
  return [
    operation('GET /projects/:id/milestones/:milestone_id/merge_requests', {
      ...list,
      summary: 'List merge requests of a project milestone',
      access: 'read_milestones',
      run: async (call) => {
        const { project, user, params, paging } = call
        const { id } = await requireMilestone({ project_id: project.id }, params.milestone_id)
        if (!may('read_merge_requests', call)) return page([], 0)
        const at = { projectId: project.id, viewer: user }
        const { rows, total } = await listProjectMergeRequests(database, at, { milestone_id: id }, paging)
        return page(
          await presentListedMergeRequests(deps, call, rows, { origin: { project: project.id } }),
          total,
        )
      },
    }),
    operation('GET /groups/:id/milestones/:milestone_id/merge_requests', {
      ...list,
      summary: 'List merge requests of a group milestone',
      access: 'read_group_milestones',
      run: async ({ group, user, params, paging }) => {
        const { id } = await requireMilestone({ group_id: group.id }, params.milestone_id)
        const filter = { milestone_id: id, non_archived: false }
        const at = { groupId: group.id, viewer: user }
        const { rows, total } = await listMergeRequests(database, at, filter, paging)
        return page(
          await presentListedMergeRequests(deps, { user }, rows, { origin: { group: group.full_path } }),
          total,
        )
      },
    }),
  ]

  async function requireMilestone(owner: MilestoneOwner, id: number): Promise<MilestoneRow> {
    const row = await findMilestone(database, owner, id)
    if (!row) throw notFound()
    return row
  }
}
