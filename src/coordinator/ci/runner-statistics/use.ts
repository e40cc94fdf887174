import { groupBy } from '../../../lib/group-by.js'
import type { Database } from '../../database/connect.js'
import { isoTime } from '../../http/presenters/present-time.js'
import { type Span, useStepOf } from './period.js'
import type { RunnerUse } from './schema.js'
import { findRunners, totalUse, useByRunner, type UseRow } from './store.js'

const MAX_RUNNERS = 100

/** The use of runners, from the samples that a coordinator takes. */
export async function runnerUse(
  database: Database,
  span: Span,
  runnerId: number | undefined,
): Promise<RunnerUse> {
  const step = useStepOf(span)
  const total = await totalUse(database, span, step)
  const rows = await useByRunner(database, span, step, { limit: MAX_RUNNERS, runnerId })
  const byRunner = groupBy(rows, ({ runner_id: id }) => id)
  const runners = await findRunners(database, [...byRunner.keys()])
  const samples = sum(total, 'samples')
  const used = [...byRunner].map(([id, its]) => ({
    id,
    description: runners.get(id)?.description ?? null,
    runner_type: runners.get(id)?.runner_type ?? null,
    busy: average(sum(its, 'busy'), samples),
    jobs: average(sum(its, 'jobs'), samples),
    series: total.map(({ at, samples: all }) => average(its.find((row) => row.at === at)?.busy ?? 0, all)),
  }))
  return {
    from: isoTime(span.from),
    to: isoTime(span.to),
    step,
    total: total.map(({ at, samples: all, online, busy, jobs }) => ({
      at: isoTime(at),
      online: average(online, all),
      busy: average(busy, all),
      jobs: average(jobs, all),
    })),
    runners: used.toSorted((one, other) => other.busy - one.busy),
  }
}

function sum(rows: readonly UseRow[], column: 'samples' | 'busy' | 'jobs'): number {
  return rows.reduce((all, row) => all + row[column], 0)
}

/** With three decimals. */
function average(all: number, samples: number): number {
  return samples === 0 ? 0 : Math.round((1000 * all) / samples) / 1000
}
