import type { Database } from '../../database/connect.js'
import { keyedRead } from '../../database/keyed-read.js'
import { requireRow } from '../../database/lost-race.js'
import type { UserRow } from '../../database/tables/pipeline-rows.js'

const userById = keyedRead('id', (database) => database.selectFrom('user').selectAll())

/** The user of a job, pipeline or trigger, which its foreign key keeps. */
export async function findUser(database: Database, id: number): Promise<UserRow> {
  return requireRow(await userById(database, id), 'user', id)
}
