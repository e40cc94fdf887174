import { type Insertable, type RawBuilder, type Selectable, sql, type SqlBool } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { ResourceEventKind, ResourceEventTable } from '../../database/tables/resource-events.js'
import type { Transaction } from '../../database/transaction.js'
import type { Paging } from '../../http/page.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'

export type ResourceEventRow = Selectable<ResourceEventTable>

/** The subject of an event. */
export type Resource = { issue_id: number } | { merge_request_id: number }

/** Databases limit the number of values in a statement. */
const ROWS_PER_STATEMENT = 500

export async function insertResourceEvents(
  tx: Transaction,
  rows: Insertable<ResourceEventTable>[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    const some = rows.slice(start, start + ROWS_PER_STATEMENT)
    await tx.insertInto('resource_event').values(some).execute()
  }
}

/** Lists the events of one kind, the oldest first. */
export function listResourceEvents(
  database: Database,
  resource: Resource,
  kind: ResourceEventKind,
  paging: Paging,
): Promise<Rows<ResourceEventRow>> {
  return listRows(database, eventsOf(database, resource, kind), paging, {
    table: 'resource_event',
    column: 'id',
    direction: 'asc',
  })
}

export function findResourceEvent(
  database: Database,
  resource: Resource,
  kind: ResourceEventKind,
  id: number,
): Promise<ResourceEventRow | undefined> {
  return eventsOf(database, resource, kind)
    .selectAll('resource_event')
    .where('resource_event.id', '=', id)
    .executeTakeFirst()
}

function eventsOf(database: Database, resource: Resource, kind: ResourceEventKind) {
  const events = database.selectFrom('resource_event').where('resource_event.kind', '=', kind)
  return 'issue_id' in resource
    ? events.where('resource_event.issue_id', '=', resource.issue_id)
    : events.where('resource_event.merge_request_id', '=', resource.merge_request_id)
}

/** Makes `to` the user of the events of `from`. */
export async function reassignResourceEvents(tx: Transaction, from: number, to: number): Promise<void> {
  await tx.updateTable('resource_event').set({ user_id: to }).where('user_id', '=', from).execute()
}

/** Makes the events of a label those of the label that replaces it: all events, or those in one project. */
export async function moveLabelEvents(
  tx: Transaction,
  from: number,
  to: number,
  projectId?: number,
): Promise<void> {
  await tx
    .updateTable('resource_event')
    .set({ label_id: to })
    .where('label_id', '=', from)
    .$if(projectId !== undefined, (query) => query.where(isInProject(projectId ?? 0)))
    .execute()
}

/** Milestones and the one that replaces them, everywhere or in one project. */
export interface MilestoneReplacement {
  from: readonly number[]
  to: number
  projectId?: number
}

/** Makes the events of milestones those of the milestone that replaces them. */
export async function moveMilestoneEvents(
  tx: Transaction,
  { from, to, projectId }: MilestoneReplacement,
): Promise<void> {
  await tx
    .updateTable('resource_event')
    .set({ milestone_id: to })
    .where('milestone_id', 'in', from)
    .$if(projectId !== undefined, (query) => query.where(isInProject(projectId ?? 0)))
    .execute()
}

function isInProject(projectId: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`(
    issue_id in (select issue.id from issue where issue.project_id = ${projectId})
    or merge_request_id in (
      select merge_request.id from merge_request where merge_request.project_id = ${projectId}))`
}
