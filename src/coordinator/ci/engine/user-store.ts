import type { Database } from '../../database/connect.js'
import { requireRow } from '../../database/lost-race.js'
import { preparedRead } from '../../database/prepared-read.js'
import type { Placeholder } from '../../database/prepared-statement.js'
import type { UserRow } from '../../database/tables/pipeline-rows.js'

const userById = preparedRead((database, { id }: { id: Placeholder<number> }) =>
  database.selectFrom('user').selectAll().where('id', '=', id),
)

/** The user of a job, pipeline or trigger, which its foreign key keeps. */
export async function findUser(database: Database, id: number): Promise<UserRow> {
  const [user] = await userById(database, { id })
  return requireRow(user, 'user', id)
}
