import type { Database } from './connect.js'
import { directReadsOf } from './direct-reads.js'
import {
  type BuildStatement,
  type Placeholders,
  PreparedStatement,
  type Values,
} from './prepared-statement.js'

/** Reads the rows of a query with these values, from the database or within a transaction. */
export type PreparedRead<Of extends Placeholders, Row> = (
  database: Database,
  values: Values<Of>,
) => Promise<Row[]>

/**
 * A query for frequent requests. Building a query with Kysely and planning it takes longer than running it.
 * So it is built once (once per length of its lists), and the database keeps it prepared. It must only read,
 * and its text may depend on nothing but its placeholders:
 *
 *     const findByDigest = preparedRead((database, { digest }: { digest: Placeholder<string> }) =>
 *       database.selectFrom('personal_access_token').selectAll().where('digest', '=', digest))
 *     const [token] = await findByDigest(database, { digest: 'e3b0…' })
 */
export function preparedRead<Of extends Placeholders, Row>(
  build: BuildStatement<Of, Row>,
): PreparedRead<Of, Row> {
  const statement = new PreparedStatement(build)
  return async (database, values) => {
    const query = statement.with(database, values)
    const directReads = directReadsOf(database)
    if (directReads) return directReads.read<Row>(query.sql, query.parameters)
    return (await database.executeQuery(query)).rows
  }
}
