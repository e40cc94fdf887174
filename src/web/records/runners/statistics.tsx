import { useMemo } from 'preact/hooks'

import { addressOf, queryOf } from '../../../addresses/address-of.js'
import type {
  RunnerFailures,
  RunnerUse,
  WaitStatistics,
} from '../../../coordinator/ci/runner-statistics/schema.js'
import { useRead } from '../../api/use-read.js'
import { LineChart } from '../../charts/line-chart.js'
import { alignPoints, countAxis } from '../../charts/scales.js'
import { useSearch } from '../../frame/location.js'
import { Read } from '../../frame/problem.js'
import { Badge } from '../../kit/badge.js'
import { formatCount } from '../../kit/bytes.js'
import { Select } from '../../kit/field.js'
import { Panel } from '../../kit/panel.js'
import { Table } from '../../kit/table.js'
import { Time } from '../../kit/time.js'
import { Percentiles, wait } from './percentiles.js'
import { PeriodSelect } from './period-select.js'
import { atLeastADay, type Period, periodOf, startOf } from './periods.js'
import { runnerAddress, runnersApi, type RunnerScope } from './runner-scope.js'
import { ShareBar } from './share-bar.js'
import styles from './statistics.module.css'
import { WaitChart } from './wait-chart.js'

/** How long jobs waited; for the instance also how busy its runners were, and which of them failed. */
export function Statistics({ scope }: { scope: RunnerScope }) {
  const [search, setSearch] = useSearch()
  const period = periodOf(search.get('period'))
  const from = useMemo(() => startOf(period, Date.now()), [period])
  return (
    <>
      <Waits scope={scope} period={period} from={from} onPeriod={(value) => setSearch({ period: value })} />
      {scope.kind === 'instance' && (
        <div class={styles['pair']}>
          <Use scope={scope} from={from} />
          <Failures scope={scope} from={from} />
        </div>
      )}
    </>
  )
}

const BY = [
  { value: 'tag_set', label: 'by tags' },
  { value: 'type', label: 'by type of runner' },
  { value: 'project', label: 'by project' },
  { value: 'runner', label: 'by runner' },
]
const LEAST: Record<RunnerScope['kind'], number> = { project: 2, group: 3, instance: 4 }

interface WaitsProps {
  scope: RunnerScope
  period: Period
  from: string
  onPeriod: (value: string) => void
}

function Waits({ scope, period, from, onPeriod }: WaitsProps) {
  const [search, setSearch] = useSearch()
  const choices = BY.slice(0, LEAST[scope.kind])
  const by = choices.find(({ value }) => value === search.get('by'))?.value ?? 'tag_set'
  const waits = useRead<WaitStatistics>(`${runnersApi(scope)}/waits${queryOf({ from, by })}`, {
    keepsPrevious: true,
  })
  return (
    <Panel
      title="Wait to start"
      actions={
        <>
          <PeriodSelect period={period} onPeriod={onPeriod} />
          <Select
            hidesLabel
            label="Grouping"
            value={by}
            onInput={(value) => setSearch({ by: value })}
            choices={choices}
          />
        </>
      }
    >
      <Read of={waits} loading={<div class={styles['space']} />}>
        {(statistics) => (
          <>
            <Percentiles of={statistics.total} />
            {statistics.total.count === 0 ? (
              <p class={styles['quiet']}>No job has started in this period.</p>
            ) : (
              <div class={styles['beside']}>
                <WaitChart waits={statistics} />
                <WaitGroups scope={scope} waits={statistics} />
              </div>
            )}
          </>
        )}
      </Read>
    </Panel>
  )
}

type WaitGroup = WaitStatistics['groups'][number]

const TYPES: Record<string, string> = {
  instance_type: 'instance runners',
  group_type: 'group runners',
  project_type: 'project runners',
}

function WaitGroups({ scope, waits }: { scope: RunnerScope; waits: WaitStatistics }) {
  return (
    <div class={styles['groups']} tabIndex={0} role="region" aria-label="Waits of groups of jobs">
      <Table<WaitGroup>
        label="Waits of groups of jobs"
        rows={waits.groups}
        keyOf={({ id, name }) => `${id} ${name}`}
        columns={[
          {
            title: { tag_set: 'Tags', type: 'Type', project: 'Project', runner: 'Runner' }[waits.by],
            isMain: true,
            cell: (group) => <GroupName scope={scope} by={waits.by} group={group} />,
          },
          { title: 'Jobs', isNumber: true, cell: ({ count }) => formatCount(count) },
          { title: 'p50', isNumber: true, cell: ({ p50 }) => wait(p50) },
          { title: 'p95', isNumber: true, cell: ({ p95 }) => wait(p95) },
          { title: 'p99', isNumber: true, cell: ({ p99 }) => wait(p99) },
        ]}
      />
    </div>
  )
}

function GroupName({
  scope,
  by,
  group: { id, name, tags },
}: {
  scope: RunnerScope
  by: WaitStatistics['by']
  group: WaitGroup
}) {
  if (by === 'type') return <>{TYPES[name] ?? name}</>
  if (by === 'tag_set') {
    if (!tags || tags.length === 0) return <span class={styles['quiet']}>without tags</span>
    return (
      <span class={styles['tags']}>
        {tags.map((tag) => (
          <Badge key={tag}>{tag}</Badge>
        ))}
      </span>
    )
  }
  if (by === 'project') return name === '' ? <>a deleted project</> : <a href={`/${name}`}>{name}</a>
  return <a href={runnerAddress(scope, id ?? 0)}>{name || `#${id}`}</a>
}

const USE_LINES = [
  { name: 'busy', tone: 'running' },
  { name: 'online', tone: 'neutral' },
] as const

const MAX_SHOWN = 8

function Use({ scope, from }: { scope: RunnerScope; from: string }) {
  // Samples are kept by hour.
  const start = useMemo(() => atLeastADay(from, Date.now()), [from])
  const use = useRead<RunnerUse>(`/runners/use${queryOf({ from: start })}`, { keepsPrevious: true })
  return (
    <Panel title="Busy runners">
      <Read of={use} loading={<div class={styles['space']} />}>
        {(response) => (response.total.length === 0 ? <NoUse /> : <UseOf scope={scope} use={response} />)}
      </Read>
    </Panel>
  )
}

function NoUse() {
  return <p class={styles['quiet']}>No use has been recorded yet. A sample is taken every 30 seconds.</p>
}

function UseOf({ scope, use }: { scope: RunnerScope; use: RunnerUse }) {
  const data = useMemo(() => alignPoints(use, use.total, [({ busy }) => busy, ({ online }) => online]), [use])
  const axis = useMemo(() => countAxis(data.values.flat()), [data])
  return (
    <>
      <LineChart
        label="Busy and online runners, by time"
        lines={USE_LINES}
        data={data}
        axis={axis}
        fillsFirst
        height={160}
        format={(value) => value.toLocaleString('en', { maximumFractionDigits: 1 })}
      />
      <ul class={styles['bars']} aria-label="Busiest runners">
        {use.runners.slice(0, MAX_SHOWN).map(({ id, description, busy }) => (
          <li key={id}>
            <a href={runnerAddress(scope, id)}>{description || `#${id}`}</a>
            <ShareBar share={busy} />
          </li>
        ))}
      </ul>
    </>
  )
}

function Failures({ scope, from }: { scope: RunnerScope; from: string }) {
  const start = useMemo(() => atLeastADay(from, Date.now()), [from])
  const failures = useRead<RunnerFailures>(`/runners/failures${queryOf({ from: start })}`, {
    keepsPrevious: true,
  })
  return (
    <Panel title="Failures of runners" isFlush>
      <Read of={failures}>
        {({ count, runners }) =>
          count === 0 ? (
            <p class={styles['none']}>No job failed because of its runner.</p>
          ) : (
            <Table<RunnerFailures['runners'][number]>
              label="Runners whose jobs failed because of them"
              rows={runners}
              keyOf={({ id }) => id}
              columns={[
                {
                  title: 'Runner',
                  isMain: true,
                  cell: ({ id, description }) => (
                    <a href={runnerAddress(scope, id)}>{description || `#${id}`}</a>
                  ),
                },
                { title: 'Jobs', isNumber: true, cell: ({ count: jobs }) => formatCount(jobs) },
                {
                  title: 'Last',
                  cell: ({ last_at: at, last_job: { id, name, project_path: project } }) => (
                    <div class={styles['cell']}>
                      <a href={addressOf('jobs/job', { project, id: String(id) })}>{name}</a>{' '}
                      <span class={styles['quiet']}>
                        <Time value={at} />
                      </span>
                    </div>
                  ),
                },
              ]}
            />
          )
        }
      </Read>
    </Panel>
  )
}
