import type { Database } from '../../database/connect.js'
import { isoTime } from '../../http/presenters/present-time.js'
import { type Histogram, percentilesOf } from '../queue/wait-statistics/wait-histogram.js'
import { stepOf } from './period.js'
import type { WaitStatistics } from './schema.js'
import { namesOf, type WaitKey, waitsByGroup, waitsByTime, type WaitSelection } from './store.js'

const KEYS: Record<WaitStatistics['by'], WaitKey> = {
  tag_set: 'tag_set_id',
  type: 'runner_type',
  project: 'project_id',
  runner: 'runner_id',
}

export async function waitStatistics(
  database: Database,
  by: WaitStatistics['by'],
  selection: WaitSelection,
  now: number,
): Promise<WaitStatistics> {
  const step = stepOf(selection, now)
  const series = histograms(await waitsByTime(database, step, selection))
  return {
    from: isoTime(selection.from),
    to: isoTime(selection.to),
    step,
    by,
    total: percentilesOf(sumOf([...series.values()])),
    groups: await groups(database, KEYS[by], selection),
    series: [...series].map(([at, histogram]) => ({ at: isoTime(at), ...percentilesOf(histogram) })),
  }
}

async function groups(
  database: Database,
  key: WaitKey,
  selection: WaitSelection,
): Promise<WaitStatistics['groups']> {
  const found = histograms(await waitsByGroup(database, key, selection))
  const ids = [...found.keys()].filter((id) => typeof id === 'number')
  const names = key === 'runner_type' ? undefined : await namesOf(database, key, ids)
  const rows = [...found].map(([id, histogram]) => {
    const isId = typeof id === 'number'
    const { name, tags } = (isId && names?.get(id)) || { name: isId ? '' : id, tags: null }
    return { id: isId ? id : null, name, tags, ...percentilesOf(histogram) }
  })
  return rows.toSorted((one, other) => other.count - one.count)
}

function histograms<Key>(cells: readonly { key: Key; bucket: number; jobs: number }[]): Map<Key, Histogram> {
  const found = new Map<Key, Map<number, number>>()
  for (const { key, bucket, jobs } of cells) {
    found.set(key, (found.get(key) ?? new Map<number, number>()).set(bucket, jobs))
  }
  return found
}

function sumOf(all: readonly Histogram[]): Histogram {
  const sum = new Map<number, number>()
  for (const histogram of all) {
    for (const [bucket, jobs] of histogram) sum.set(bucket, (sum.get(bucket) ?? 0) + jobs)
  }
  return sum
}
