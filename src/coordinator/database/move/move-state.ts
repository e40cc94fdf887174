import { sql } from 'kysely'

import { SwitchyardError } from '../../../lib/errors.js'
import type { Database, DialectName } from '../connect.js'
import { hasTable } from '../has-table.js'

/**
 * The table with the state of a move from SQLite to PostgreSQL. In the source it exists from the begin of the move on,
 * in the target until the move is complete. While it exists, no coordinator may write there.
 */
export const MOVE = 'database_move'

export class MoveError extends SwitchyardError {
  readonly name = 'MoveError'
  readonly code = 'DATABASE_MOVE'
}

/** Throws `MoveError` if the rows of this database are being moved, or have been. */
export async function refuseMovedDatabase(database: Database, dialect: DialectName): Promise<void> {
  if (!(await hasTable(database, dialect, MOVE))) return
  if (dialect === 'postgres') {
    throw new MoveError(
      'The move of an installation to this database is not complete. Run "switchyard admin move-database" again.',
    )
  }
  const { rows } = await sql<{ target: string; completed_at: number | null }>`
    select target, completed_at from ${sql.table(MOVE)}`.execute(database)
  const [move] = rows
  if (!move) return
  throw new MoveError(
    move.completed_at === null
      ? `The move of this database to ${move.target} is not complete. Run "switchyard admin move-database" again, or ` +
          'with --cancel to stay on SQLite.'
      : `This installation has moved to ${move.target}. Set database_url to it. To return to the state before the move ` +
          'and lose all changes since, run "switchyard admin move-database --cancel".',
  )
}
