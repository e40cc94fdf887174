import { type Selectable, sql } from 'kysely'
import { type Static, Type } from 'typebox'

import type { Database } from '../../database/connect.js'
import type { MilestoneTable } from '../../database/tables/milestones.js'
import { described } from '../parameters/described.js'
import { DateOnly, Nullable, NullableText, OneOf } from '../parameters/types.js'
import { isoTime } from './present-time.js'

type MilestoneRow = Selectable<MilestoneTable>

const MilestoneId = described(Type.Integer(), 'ID of the milestone.')

/** API, G4. Either `project_id` or `group_id` is present. */
export const Milestone = Type.Object({
  id: MilestoneId,
  iid: described(Type.Integer(), 'Number of the milestone within its project or group.'),
  project_id: described(Type.Optional(Type.Integer()), 'ID of the project; absent for a group milestone.'),
  group_id: described(Type.Optional(Type.Integer()), 'ID of the group; absent for a project milestone.'),
  title: described(Type.String(), 'Title.'),
  description: described(NullableText, 'Description in Markdown; null if there is none.'),
  state: described(OneOf('active', 'closed'), 'State.'),
  created_at: described(Type.String(), 'Time of creation.'),
  updated_at: described(Type.String(), 'Time of the last change.'),
  due_date: described(Nullable(DateOnly()), 'Day on which the milestone is due; null if there is none.'),
  start_date: described(Nullable(DateOnly()), 'First day of the milestone; null if there is none.'),
  expired: described(Type.Boolean(), 'Whether the due date is in the past, in UTC.'),
  web_url: described(Type.String(), 'URL of the milestone page.'),
})
export type Milestone = Static<typeof Milestone>

/** Public records, in the order of the rows; uses a query for projects and one for groups. `externalUrl` has no trailing slash. */
export async function presentMilestones(
  database: Database,
  externalUrl: string,
  rows: readonly MilestoneRow[],
): Promise<Milestone[]> {
  const owners = await pathsOfOwners(database, rows)
  return rows.map((row) => presentMilestone(row, `${externalUrl}/${pathOfOwner(row, owners)}`))
}

/** Public records by ID; IDs may repeat, and deleted milestones are missing. */
export async function milestonesById(
  database: Database,
  externalUrl: string,
  ids: readonly (number | null)[],
): Promise<Map<number, Milestone>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null)
  if (wanted.length === 0) return new Map()
  const rows = await database.selectFrom('milestone').selectAll().where('id', 'in', wanted).execute()
  const records = await presentMilestones(database, externalUrl, rows)
  return new Map(records.map((record) => [record.id, record]))
}

function presentMilestone(row: MilestoneRow, ownerUrl: string): Milestone {
  const { id, iid, project_id, group_id, title, description, state, due_date, start_date } = row
  return {
    id,
    iid,
    ...(project_id !== null && { project_id }),
    ...(group_id !== null && { group_id }),
    title,
    description,
    state,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
    due_date,
    start_date,
    expired: due_date !== null && due_date < isoTime(Date.now()).slice(0, 10),
    web_url: `${ownerUrl}/-/milestones/${iid}`,
  }
}

interface Paths {
  projects: Map<number, string>
  groups: Map<number, string>
}

async function pathsOfOwners(database: Database, rows: readonly MilestoneRow[]): Promise<Paths> {
  const [projects, groups] = await Promise.all([
    pathsOf(
      database,
      'project',
      rows.flatMap(({ project_id }) => project_id ?? []),
    ),
    pathsOf(
      database,
      'namespace',
      rows.flatMap(({ group_id }) => group_id ?? []),
    ),
  ])
  return { projects, groups }
}

async function pathsOf(
  database: Database,
  table: 'project' | 'namespace',
  ids: number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: number; full_path: string }>`
    select id, full_path from ${sql.table(table)} where id in (${sql.join([...new Set(ids)])})`.execute(
    database,
  )
  return new Map(rows.map(({ id, full_path }) => [id, full_path]))
}

/** Path of the page of the owner: `group/project` or `groups/group`. */
function pathOfOwner({ project_id, group_id }: MilestoneRow, { projects, groups }: Paths): string {
  return project_id === null ? `groups/${groups.get(group_id ?? 0)}` : `${projects.get(project_id)}`
}
