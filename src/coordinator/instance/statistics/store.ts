import { type RawBuilder, sql } from 'kysely'

import type { Database } from '../../database/connect.js'

/** Number of records of each kind in the whole instance. */
export async function countRecords(database: Database): Promise<Record<string, number>> {
  const counts = {
    forks: sql`from project where forked_from_id is not null`,
    issues: sql`from issue`,
    merge_requests: sql`from merge_request`,
    notes: sql`from note`,
    snippets: sql`from snippet`,
    ssh_keys: sql`from ssh_key`,
    milestones: sql`from milestone`,
    users: sql`from "user"`,
    groups: sql`from namespace where kind = 'group'`,
    projects: sql`from project`,
    active_users: sql`from "user" where state = 'active'`,
  } satisfies Record<string, RawBuilder<unknown>>
  const columns = Object.entries(counts).map(
    ([name, from]) => sql`(select count(*) ${from}) as ${sql.ref(name)}`,
  )
  const { rows } = await sql<Record<string, number>>`select ${sql.join(columns)}`.execute(database)
  return rows[0] ?? {}
}
