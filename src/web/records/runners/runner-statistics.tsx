import { useMemo } from 'preact/hooks'

import { queryOf } from '../../../addresses/address-of.js'
import type { RunnerUse, WaitStatistics } from '../../../coordinator/ci/runner-statistics/schema.js'
import { useRead } from '../../api/use-read.js'
import { LineChart } from '../../charts/line-chart.js'
import { useSearch } from '../../frame/location.js'
import { Read } from '../../frame/problem.js'
import { Panel } from '../../kit/panel.js'
import { Percentiles } from './percentiles.js'
import { PeriodSelect } from './period-select.js'
import { atLeastADay, periodOf, startOf } from './periods.js'
import { ShareBar } from './share-bar.js'
import styles from './statistics.module.css'
import { WaitChart } from './wait-chart.js'

/** How long the jobs of one runner waited for it, and how busy it was. */
export function RunnerStatistics({ id }: { id: number }) {
  const [search, setSearch] = useSearch()
  const period = periodOf(search.get('period'))
  const from = useMemo(() => startOf(period, Date.now()), [period])
  const waits = useRead<WaitStatistics>(`/runners/waits${queryOf({ from, runner_id: id })}`, {
    keepsPrevious: true,
  })
  return (
    <>
      <Panel
        title="Wait to start"
        actions={<PeriodSelect period={period} onPeriod={(value) => setSearch({ period: value })} />}
      >
        <Read of={waits} loading={<div class={styles['space']} />}>
          {(statistics) => (
            <>
              <Percentiles of={statistics.total} />
              {statistics.total.count === 0 ? (
                <p class={styles['quiet']}>The runner has taken no job in this period.</p>
              ) : (
                <WaitChart waits={statistics} />
              )}
            </>
          )}
        </Read>
      </Panel>
      <Use id={id} from={from} />
    </>
  )
}

const LINES = [{ name: 'busy', tone: 'running' }] as const
const SHARES = { min: 0, max: 1, marks: [0, 0.5, 1] }

function Use({ id, from }: { id: number; from: string }) {
  const start = useMemo(() => atLeastADay(from, Date.now()), [from])
  const use = useRead<RunnerUse>(`/runners/use${queryOf({ from: start, runner_id: id })}`, {
    keepsPrevious: true,
  })
  return (
    <Panel title="Busy">
      <Read of={use} loading={<div class={styles['space']} />}>
        {(response) => <UseOf use={response} />}
      </Read>
    </Panel>
  )
}

function UseOf({ use }: { use: RunnerUse }) {
  const [runner] = use.runners
  const data = useMemo(
    () => ({
      times: use.total.map(({ at }) => Date.parse(at) / 1000),
      values: [runner?.series ?? []],
    }),
    [use, runner],
  )
  if (!runner) return <p class={styles['quiet']}>The runner had no job when samples were taken.</p>
  return (
    <>
      <ShareBar share={runner.busy} />
      <LineChart
        label="Share of the time in which the runner had a job"
        lines={LINES}
        data={data}
        axis={SHARES}
        fillsFirst
        height={140}
        format={(share) => `${Math.round(share * 100)} %`}
      />
    </>
  )
}
