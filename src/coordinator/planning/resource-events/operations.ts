import { Type } from 'typebox'

import type { ResourceEventKind } from '../../database/tables/resource-events.js'
import { notFound } from '../../http/errors.js'
import { type Operation, operation, type Route } from '../../http/operation.js'
import { type Page, page, type Paging } from '../../http/page.js'
import {
  findResourceEvent,
  listResourceEvents,
  type Resource,
} from '../../integrations/resource-event-log/store.js'
import { requireIssue } from '../access/issue-access.js'
import { requireMergeRequest } from '../access/merge-request-access.js'
import { burndownOperations } from './burndown.js'
import { type PresentDeps, presentEvents } from './present.js'
import { LabelEvent, MilestoneEvent, OfIssue, OfMergeRequest, StateEvent } from './schema.js'

interface Kind {
  kind: ResourceEventKind
  record: typeof LabelEvent | typeof StateEvent | typeof MilestoneEvent
  ofIssue: { list: Route; get: Route }
  ofMergeRequest: { list: Route; get: Route }
}

const KINDS: Kind[] = [
  {
    kind: 'label',
    record: LabelEvent,
    ofIssue: {
      list: 'GET /projects/:id/issues/:issue_iid/resource_label_events',
      get: 'GET /projects/:id/issues/:issue_iid/resource_label_events/:event_id',
    },
    ofMergeRequest: {
      list: 'GET /projects/:id/merge_requests/:merge_request_iid/resource_label_events',
      get: 'GET /projects/:id/merge_requests/:merge_request_iid/resource_label_events/:event_id',
    },
  },
  {
    kind: 'state',
    record: StateEvent,
    ofIssue: {
      list: 'GET /projects/:id/issues/:issue_iid/resource_state_events',
      get: 'GET /projects/:id/issues/:issue_iid/resource_state_events/:event_id',
    },
    ofMergeRequest: {
      list: 'GET /projects/:id/merge_requests/:merge_request_iid/resource_state_events',
      get: 'GET /projects/:id/merge_requests/:merge_request_iid/resource_state_events/:event_id',
    },
  },
  {
    kind: 'milestone',
    record: MilestoneEvent,
    ofIssue: {
      list: 'GET /projects/:id/issues/:issue_iid/resource_milestone_events',
      get: 'GET /projects/:id/issues/:issue_iid/resource_milestone_events/:event_id',
    },
    ofMergeRequest: {
      list: 'GET /projects/:id/merge_requests/:merge_request_iid/resource_milestone_events',
      get: 'GET /projects/:id/merge_requests/:merge_request_iid/resource_milestone_events/:event_id',
    },
  },
]

/** Changes of the labels, the state and the milestone of issues and merge requests (API, F2, F4 and G4). */
export function resourceEventOperations(deps: PresentDeps): Operation[] {
  return [
    ...KINDS.flatMap((kind) => [...issueOperations(deps, kind), ...mergeRequestOperations(deps, kind)]),
    ...burndownOperations(deps.database),
  ]
}

function issueOperations(deps: PresentDeps, { kind, record, ofIssue }: Kind): Operation[] {
  const { database } = deps
  return [
    operation(ofIssue.list, {
      summary: `List the ${kind} events of an issue`,
      access: 'read_issues',
      params: OfIssue.list,
      responses: { 200: Type.Array(record) },
      paginated: true,
      run: async (call) => {
        const { id } = await requireIssue(database, call, call.params.issue_iid)
        return list(deps, { issue_id: id }, kind, call.paging)
      },
    }),
    operation(ofIssue.get, {
      summary: `Get a ${kind} event of an issue`,
      access: 'read_issues',
      params: OfIssue.one,
      responses: { 200: record },
      run: async (call) => {
        const { id } = await requireIssue(database, call, call.params.issue_iid)
        return one(deps, { issue_id: id }, kind, call.params.event_id)
      },
    }),
  ]
}

function mergeRequestOperations(deps: PresentDeps, { kind, record, ofMergeRequest }: Kind): Operation[] {
  const { database } = deps
  return [
    operation(ofMergeRequest.list, {
      summary: `List the ${kind} events of a merge request`,
      access: 'read_merge_requests',
      params: OfMergeRequest.list,
      responses: { 200: Type.Array(record) },
      paginated: true,
      run: async (call) => {
        const { id } = await requireMergeRequest(database, call, call.params.merge_request_iid)
        return list(deps, { merge_request_id: id }, kind, call.paging)
      },
    }),
    operation(ofMergeRequest.get, {
      summary: `Get a ${kind} event of a merge request`,
      access: 'read_merge_requests',
      params: OfMergeRequest.one,
      responses: { 200: record },
      run: async (call) => {
        const { id } = await requireMergeRequest(database, call, call.params.merge_request_iid)
        return one(deps, { merge_request_id: id }, kind, call.params.event_id)
      },
    }),
  ]
}

async function list(
  deps: PresentDeps,
  resource: Resource,
  kind: ResourceEventKind,
  paging: Paging,
): Promise<Page> {
  const { rows, total } = await listResourceEvents(deps.database, resource, kind, paging)
  return page(await presentEvents(deps, rows), total)
}

/** Throws 404. */
async function one(
  deps: PresentDeps,
  resource: Resource,
  kind: ResourceEventKind,
  id: number,
): Promise<unknown> {
  const row = await findResourceEvent(deps.database, resource, kind, id)
  if (!row) throw notFound()
  return (await presentEvents(deps, [row]))[0]
}
