import { Type } from 'typebox'

import type { Group, User } from '../../access/caller.js'
import { notFound } from '../../http/errors.js'
import { type Operation, operation } from '../../http/operation.js'
import { type Page, page, type Paging } from '../../http/page.js'
import { signedIn } from '../../http/viewer.js'
import { visibleIssues } from '../access/visible-issues.js'
import { requireEpic } from '../epics/epics.js'
import { presentEpics } from '../epics/present.js'
import { type PresentDeps, presentIssues } from '../issues/present.js'
import type { EpicIssueRow } from '../stores/epic-issue-store.js'
import {
  addEpicIssue,
  type EpicIssueLink,
  type EpicScope,
  listEpicIssues,
  moveEpicIssue,
  removeEpicIssue,
} from './epic-issues.js'
import { ByEpic, ByEpicIssue, ByIssue, EpicIssue, IssueOfEpic, MoveEpicIssue, NEIGHBORS } from './schema.js'

/** Issues of epics (API, F5). */
export function epicIssueOperations(deps: PresentDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /groups/:id/epics/:epic_iid/issues', {
      summary: 'List the issues of an epic',
      access: 'read_epics',
      params: ByEpic,
      responses: { 200: Type.Array(IssueOfEpic) },
      paginated: true,
      run: async (call) =>
        issuesOf(deps, call, (await requireEpic(database, call.group.id, call.params.epic_iid)).id),
    }),
    operation('POST /groups/:id/epics/:epic_iid/issues/:issue_id', {
      summary: 'Add an issue to an epic',
      access: 'manage_epics',
      params: ByIssue,
      responses: { 201: EpicIssue },
      run: async (call) =>
        record(deps, call, await addEpicIssue(database, scopeOf(call), call.params.issue_id)),
    }),
    operation('PUT /groups/:id/epics/:epic_iid/issues/:epic_issue_id', {
      summary: 'Change the place of an issue in its epic',
      access: 'manage_epics',
      params: MoveEpicIssue,
      atLeastOne: [NEIGHBORS],
      responses: { 200: Type.Array(IssueOfEpic) },
      paginated: true,
      run: async (call) => {
        const { epic_issue_id, move_before_id: before, move_after_id: after } = call.params
        const { id } = await moveEpicIssue(database, scopeOf(call), epic_issue_id, { before, after })
        return issuesOf(deps, call, id)
      },
    }),
    operation('DELETE /groups/:id/epics/:epic_iid/issues/:epic_issue_id', {
      summary: 'Remove an issue from an epic',
      access: 'manage_epics',
      params: ByEpicIssue,
      responses: { 200: EpicIssue },
      run: async (call) =>
        record(deps, call, await removeEpicIssue(database, scopeOf(call), call.params.epic_issue_id)),
    }),
  ]
}

interface Viewing {
  group: Group
  user: User | undefined
}

function scopeOf({ group, user, params }: Viewing & { params: { epic_iid: number } }): EpicScope {
  return { groupId: group.id, iid: params.epic_iid, user: signedIn(user) }
}

async function issuesOf(
  deps: PresentDeps,
  { group, user, paging }: Viewing & { paging: Paging },
  epicId: number,
): Promise<Page> {
  const { rows, total } = await listEpicIssues(deps.database, epicId, user, paging)
  return page(await presentIssuesOfEpic(deps, { group, user }, rows), total)
}

async function presentIssuesOfEpic(
  deps: PresentDeps,
  { group, user }: Viewing,
  places: readonly EpicIssueRow[],
): Promise<IssueOfEpic[]> {
  const ids = places.map(({ issue_id }) => issue_id)
  const issues = await visibleIssues(deps.database, user, ids)
  const records = await presentIssues(deps, issues, { group: group.full_path }, user)
  const byId = new Map(records.map((issue) => [issue.id, issue]))
  return places.flatMap(({ id, issue_id, position }) => {
    const issue = byId.get(issue_id)
    return issue ? [{ ...issue, epic_issue_id: id, relative_position: position }] : []
  })
}

async function record(deps: PresentDeps, { group, user }: Viewing, link: EpicIssueLink): Promise<EpicIssue> {
  const [epic] = await presentEpics(deps, { groupId: group.id, viewer: user }, [link.epic])
  const [issue] = await presentIssues(deps, [link.issue], { group: group.full_path }, user)
  if (!epic || !issue) throw notFound()
  return { id: link.place.id, epic, issue }
}
