import { sql } from 'kysely'
import { Type } from 'typebox'

import type { User } from '../../access/caller.js'
import { type ListScope, readListScope } from '../../access/list-scope.js'
import type { Database } from '../../database/connect.js'
import { findMilestone, type MilestoneOwner } from '../../hosting/milestone-store.js'
import { notFound } from '../../http/errors.js'
import { type Operation, operation } from '../../http/operation.js'
import { type Page, page, type Paging } from '../../http/page.js'
import { countAround } from '../../http/paging/list-rows.js'
import { described } from '../../http/parameters/described.js'
import { isoTime } from '../../http/presenters/present-time.js'
import { fromEachProject, readableProjects } from '../access/visible-issues.js'
import { BurndownEvent } from './burndown-schema.js'

const ByMilestone = Type.Object({ milestone_id: described(Type.Integer(), 'ID of the milestone.') })

/** When the issues of a milestone were created, closed and reopened (API, G4). */
export function burndownOperations(database: Database): Operation[] {
  const list = {
    params: ByMilestone,
    responses: { 200: Type.Array(BurndownEvent) },
    paginated: true,
  } as const
  return [
    operation('GET /projects/:id/milestones/:milestone_id/burndown_events', {
      ...list,
      summary: 'List the burndown events of a project milestone',
      access: 'read_milestones',
      run: ({ project, user, params, paging }) =>
        burndown(database, { project_id: project.id }, user, params.milestone_id, paging),
    }),
    operation('GET /groups/:id/milestones/:milestone_id/burndown_events', {
      ...list,
      summary: 'List the burndown events of a group milestone',
      access: 'read_group_milestones',
      run: ({ group, user, params, paging }) =>
        burndown(database, { group_id: group.id }, user, params.milestone_id, paging),
    }),
  ]
}

/** The events of those issues that the caller may read, the oldest first. Throws 404 for an unknown milestone. */
async function burndown(
  database: Database,
  owner: MilestoneOwner,
  viewer: User | undefined,
  id: number,
  paging: Paging,
): Promise<Page> {
  const milestone = await findMilestone(database, owner, id)
  if (!milestone) throw notFound()
  const groupId = 'group_id' in owner ? owner.group_id : undefined
  const scope = await readListScope(database, { viewer, groupId })
  const events = eventsOf(database, owner, scope, milestone.id)
  const rows = await events
    .selectAll()
    .orderBy('created_at')
    .orderBy('event_id')
    .orderBy('issue_id')
    .limit(paging.perPage)
    .offset(paging.offset)
    .execute()
  return page(rows.map(presentEvent), await countAround(database, events, paging, rows.length))
}

interface EventRow {
  created_at: number
  weight: number | null
  action: BurndownEvent['action']
  issue_id: number
  /** 0 = the creation of the issue. */
  event_id: number
}

function eventsOf(database: Database, owner: MilestoneOwner, scope: ListScope<User | undefined>, id: number) {
  const projects = readableProjects(database, { ...scope, non_archived: false }).$if(
    'project_id' in owner,
    (all) => all.where('project.id', '=', 'project_id' in owner ? owner.project_id : 0),
  )
  // A query within SQL has parentheses of its own.
  const issues = fromEachProject(projects, scope.viewer)
    .where('issue.milestone_id', '=', id)
    .select(['issue.id', 'issue.created_at', 'issue.weight', 'issue.closed_at'])
  // An issue that was closed before events were recorded, or imported as a closed one, has no event of that.
  return database.selectFrom(
    sql<EventRow>`(
      with shown as ${issues}
      select created_at, weight, 'created' as action, id as issue_id, 0 as event_id from shown
      union all
      select resource_event.created_at, shown.weight, resource_event.action, shown.id, resource_event.id
        from shown join resource_event on resource_event.issue_id = shown.id where resource_event.kind = 'state'
      union all
      select closed_at, weight, 'closed', id, 0 from shown
        where closed_at is not null and not exists (
          select 1 from resource_event where resource_event.issue_id = shown.id and resource_event.kind = 'state')
    )`.as('events'),
  )
}

function presentEvent({ created_at, weight, action }: EventRow): BurndownEvent {
  return { created_at: isoTime(created_at), weight, action }
}
