import { Type } from 'typebox'

import { may } from '../../access/access.js'
import { type Operation, operation } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { labelDetails } from '../labels/label-details.js'
import type { Origin } from '../record-fields.js'
import { labelsOfMergeRequests } from '../stores/merge-request-label-store.js'
import type { MergeRequestRow } from '../stores/merge-request-store.js'
import { deployedOf } from './filter.js'
import {
  EXCLUSIVE,
  ListGroupMergeRequests,
  ListMergeRequests,
  ListProjectMergeRequests,
  type MergeRequestFilter,
} from './list-schema.js'
import { listMergeRequests, listProjectMergeRequests } from './list.js'
import { type Asker, presentListedMergeRequests } from './listed-record.js'
import { type PresentDeps, presentSimpleMergeRequests } from './present.js'
import { ListedMergeRequest, SimpleMergeRequest } from './record-schema.js'

/** Lists of merge requests (API, F4). */
export function mergeRequestListOperations(deps: PresentDeps): Operation[] {
  const { database } = deps
  const list = {
    responses: { 200: Type.Array(Type.Union([ListedMergeRequest, SimpleMergeRequest])) },
    exclusive: EXCLUSIVE,
    paginated: true,
    keyset: { of: 'MergeRequest', orders: ['created_at', 'updated_at'] },
  } as const
  return [
    operation('GET /merge_requests', {
      ...list,
      summary: 'List merge requests of all projects',
      access: 'user',
      params: ListMergeRequests,
      run: async ({ user, params, paging }) => {
        const filter = { scope: 'created_by_me', ...params } as const
        const { rows, total } = await listMergeRequests(database, { viewer: user }, filter, paging)
        return page(await listed(deps, { user }, rows, undefined, params), total)
      },
    }),
    operation('GET /groups/:id/merge_requests', {
      ...list,
      summary: 'List group merge requests',
      access: 'read_group',
      params: ListGroupMergeRequests,
      run: async ({ group, user, params, paging }) => {
        const at = { groupId: group.id, viewer: user }
        const { rows, total } = await listMergeRequests(database, at, params, paging)
        return page(await listed(deps, { user }, rows, { group: group.full_path }, params), total)
      },
    }),
    operation('GET /projects/:id/merge_requests', {
      ...list,
      summary: 'List project merge requests',
      access: 'read_merge_requests',
      scopes: ['mcp'],
      jobToken: true,
      params: ListProjectMergeRequests,
      run: async (call) => {
        const { project, user, params, paging } = call
        if (deployedOf(params) && !may('read_environments', call)) return page([], 0)
        const at = { projectId: project.id, viewer: user }
        const { rows, total } = await listProjectMergeRequests(database, at, params, paging)
        return page(await listed(deps, call, rows, { project: project.id }, params), total)
      },
    }),
  ]
}

type View = Pick<MergeRequestFilter, 'view' | 'with_labels_details' | 'render_html'>

async function listed(
  deps: PresentDeps,
  asker: Asker,
  rows: readonly MergeRequestRow[],
  origin: Origin,
  { view, with_labels_details, render_html }: View,
) {
  if (view === 'simple') return presentSimpleMergeRequests(deps, rows)
  const records = await presentListedMergeRequests(deps, asker, rows, { origin, render_html })
  if (!with_labels_details) return records
  const ids = rows.map(({ id }) => id)
  const labels = await labelsOfMergeRequests(deps.database, ids)
  return Promise.all(
    records.map(async (record) => ({
      ...record,
      labels: await Promise.all((labels.get(record.id) ?? []).map(labelDetails)),
    })),
  )
}
