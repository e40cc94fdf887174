import type { Static } from 'typebox'

import type { Database } from '../../../database/connect.js'
import { fetchesOf } from '../../repositories/fetch-counts.js'
import type { FetchStatistics } from '../record/schema.js'

/** Fetches of the last thirty days, up to half a minute ago (API, C2). */
export async function fetchStatistics(
  database: Database,
  projectId: number,
): Promise<Static<typeof FetchStatistics>> {
  const days = await fetchesOf(database, projectId, Date.now())
  const total = days.reduce((sum, { count }) => sum + count, 0)
  return { fetches: { total, days: days.map(({ day, count }) => ({ count, date: day })) } }
}
