import { shownDatabase } from '../../../coordinator/database/shown-database.js'
import { readDatabaseUrl } from '../../../coordinator/start/config/readers.js'
import { sqliteFile } from '../../../coordinator/start/config/settings.js'
import { explainStart } from '../../../coordinator/start/start-error.js'
import { messageOf, SwitchyardError } from '../../../lib/errors.js'

class TargetError extends SwitchyardError {
  readonly name = 'TargetError'
  readonly code = 'MOVE_TARGET'
}

/** Milliseconds between two lines about the same table. */
const INTERVAL = 5000

/** Moves the database of a data folder to PostgreSQL, or lets coordinators use SQLite again. */
export async function moveInstance(
  dataDir: string,
  { to, isCanceled }: { to: string | undefined; isCanceled: boolean },
): Promise<void> {
  if ((to === undefined) !== isCanceled)
    throw new TargetError('Name an empty database with --to, or --cancel')
  const { cancelMove, moveDatabase } = await import('../../../coordinator/database/move/move-database.js')
  const file = sqliteFile(dataDir)
  if (to === undefined) {
    cancelMove(file)
    console.log(`Coordinators can use ${file} again. Leave database_url out of the settings.`)
    return
  }
  const database = readTarget(to)
  const name = shownDatabase(database)
  const begin = performance.now()
  try {
    const { tables, rows, earlierRows } = await moveDatabase(file, { url: database.url, name }, events())
    const seconds = (performance.now() - begin) / 1000
    const rate = Math.round((rows - earlierRows) / seconds)
    console.log(
      `Moved ${count(rows)} rows of ${tables} tables, and compared each; ${seconds.toFixed(1)} s, ${count(rate)} rows/s.`,
    )
  } catch (error) {
    throw explainStart(error, { dataDir, database })
  }
  console.log(`Put this into the settings file (by default ${dataDir}/coordinator.toml), and start the coordinator:

database_url = "${withoutPassword(database.url)}"

${file} is not used any more. Delete it when you do not need it.`)
}

function readTarget(to: string): { dialect: 'postgres'; url: string } {
  try {
    const database = readDatabaseUrl(to)
    if (database.dialect === 'postgres') return database
  } catch (error) {
    throw new TargetError(`--to: ${messageOf(error)}`, { cause: error })
  }
  throw new TypeError('A URL of a database is one of PostgreSQL')
}

/** The terminal has shown the password already, but saved output need not contain it. */
function withoutPassword(url: string): string {
  const shown = new URL(url)
  if (shown.password !== '') shown.password = 'PASSWORD'
  return shown.href
}

function events() {
  let last = 0
  return {
    onRows(table: string, moved: number, all: number): void {
      const now = performance.now()
      if (moved < all && now - last < INTERVAL) return
      last = now
      console.log(`${table}: ${count(moved)} of ${count(all)} rows`)
    },
    onIndexes: () => console.log('Creating indexes and foreign keys'),
    onReplaced: (place: string) =>
      console.error(
        `switchyard: ${place}: characters that PostgreSQL cannot store (NUL) were replaced by U+FFFD`,
      ),
  }
}

function count(number: number): string {
  return number.toLocaleString('en')
}
