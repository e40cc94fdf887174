import type { Database } from '../../database/connect.js'
import { type Operation, operation } from '../../http/operation.js'
import { ApplicationStatistics } from './schema.js'
import { countRecords } from './store.js'

/** Number of records in the whole instance (API, N15). */
export function statisticsOperations({ database }: { database: Database }): Operation[] {
  return [
    operation('GET /application/statistics', {
      summary: 'Get statistics of the instance',
      access: 'administrator',
      responses: { 200: ApplicationStatistics },
      run: async () => {
        const counts = Object.entries(await countRecords(database))
        return Object.fromEntries(counts.map(([name, count]) => [name, withSeparators(count)]))
      },
    }),
  ]
}

/** `1,234`. */
function withSeparators(count: number): string {
  return count.toLocaleString('en-US')
}
