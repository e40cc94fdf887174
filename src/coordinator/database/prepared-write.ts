import type { Database } from './connect.js'
import {
  type BuildStatement,
  type Placeholders,
  PreparedStatement,
  type Values,
} from './prepared-statement.js'

interface Written<Row> {
  /** What the statement returns with `returning`. */
  rows: Row[]
  /** The number of rows that it changed, if it has no `returning`. */
  changed: number
}

/** Runs a statement with these values, on the database or within a transaction. */
export type PreparedWrite<Of extends Placeholders, Row> = (
  database: Database,
  values: Values<Of>,
) => Promise<Written<Row>>

/**
 * As `preparedRead`, for a statement that changes rows: it is built once.
 *
 *     const endLease = preparedWrite((database, { id }: { id: Placeholder<number> }) =>
 *       database.deleteFrom('lease').where('job_id', '=', id))
 *     const { changed } = await endLease(tx, { id: 7 })
 */
export function preparedWrite<Of extends Placeholders, Row>(
  build: BuildStatement<Of, Row>,
): PreparedWrite<Of, Row> {
  const statement = new PreparedStatement(build)
  return async (database, values) => {
    const { rows, numAffectedRows = 0n } = await database.executeQuery(statement.with(database, values))
    return { rows, changed: Number(numAffectedRows) }
  }
}
