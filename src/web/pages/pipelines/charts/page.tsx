import { ChartLine } from 'lucide'
import { useMemo } from 'preact/hooks'

import { addressOf, queryOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type {
  JobFigures,
  PipelineStatistics,
} from '../../../../coordinator/ci/pipelines/statistics/schema.js'
import { useRead } from '../../../api/use-read.js'
import { LineChart } from '../../../charts/line-chart.js'
import { countAxis, durationMark } from '../../../charts/scales.js'
import { useTitle } from '../../../frame/document-title.js'
import { useSearch } from '../../../frame/location.js'
import { Read } from '../../../frame/problem.js'
import { Badge } from '../../../kit/badge.js'
import { Button } from '../../../kit/button.js'
import { formatDuration } from '../../../kit/durations.js'
import { Empty } from '../../../kit/empty.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { SearchField } from '../../../kit/search-field.js'
import { type Column, Table } from '../../../kit/table.js'
import { Tabs } from '../../../kit/tabs.js'
import { durationData, linearDurationAxis, passedData, passedShare, percentText } from './chart-data.js'
import styles from './page.module.css'

const PERIODS = [4, 12, 26, 52]
const DEFAULT_PERIOD = 12

/** How long the pipelines of a project take and how many pass, by week and by branch, and the jobs that cost most. */
export function Page({ params: { project } }: { params: { project: string } }) {
  useTitle(`Charts · ${project}`)
  const [search, setSearch] = useSearch()
  const ref = search.get('ref') ?? undefined
  const wanted = Number(search.get('weeks'))
  const weeks = PERIODS.includes(wanted) ? wanted : DEFAULT_PERIOD
  const statistics = useRead<PipelineStatistics>(
    `${projectApi(project)}/pipelines/statistics${queryOf({ ref, weeks })}`,
    { keepsPrevious: true },
  )
  return (
    <>
      <PageHeader
        title="Charts"
        details={
          <a href={addressOf('pipelines/list', { project })} class={styles['back']}>
            All pipelines
          </a>
        }
      />
      <Tabs
        label="Period"
        tabs={PERIODS.map((count) => ({
          label: `${count} weeks`,
          href: addressOf('pipelines/charts', { project }, { weeks: count, ref }),
          isCurrent: count === weeks,
        }))}
      />
      <div class={styles['tools']}>
        <SearchField
          label="Branch or tag"
          placeholder="All branches and tags"
          value={ref ?? ''}
          onSearch={(name) => setSearch({ ref: name.trim() })}
        />
      </div>
      <Read of={statistics}>
        {(read) =>
          read.success + read.failed === 0 ? (
            <Panel>
              <Empty
                icon={ChartLine}
                title={
                  ref === undefined
                    ? `No pipeline has ended in the last ${weeks} weeks.`
                    : `No pipeline of ${ref} has ended in the last ${weeks} weeks.`
                }
                action={
                  ref !== undefined && (
                    <Button onClick={() => setSearch({ ref: undefined })}>All branches</Button>
                  )
                }
              />
            </Panel>
          ) : (
            <Charts project={project} statistics={read} weeks={weeks} isOfOne={ref !== undefined} />
          )
        }
      </Read>
    </>
  )
}

interface ChartsProps {
  project: string
  statistics: PipelineStatistics
  weeks: number
  isOfOne: boolean
}

function Charts({ project, statistics, weeks, isOfOne }: ChartsProps) {
  const durations = useMemo(() => durationData(statistics), [statistics])
  const passed = useMemo(() => passedData(statistics), [statistics])
  const durationScale = useMemo(() => linearDurationAxis(durations.values.flat()), [durations])
  const percentScale = useMemo(() => countAxis([100]), [])
  const share = passedShare(statistics)
  const { success, failed, more, job_pipelines: counted } = statistics
  return (
    <div class={styles['charts']}>
      <dl class={styles['figures']}>
        <Figure title="Pipelines" value={(success + failed).toLocaleString('en')} />
        <Figure title="Passed" value={share === null ? '–' : percentText(share)} />
        <Figure title="Median duration" value={seconds(statistics.p50)} />
        <Figure title="95 % take at most" value={seconds(statistics.p95)} />
      </dl>
      {more && <p class={styles['quiet']}>The newest 5,000 pipelines are counted; the period has more.</p>}
      <div class={styles['pair']}>
        <Panel title="Duration by week">
          <LineChart
            label="Duration of pipelines that passed, by week"
            lines={[
              { name: 'p50', tone: 'accent' },
              { name: 'p95', tone: 'pending' },
            ]}
            data={durations}
            axis={durationScale}
            format={formatDuration}
            mark={durationMark}
          />
        </Panel>
        <Panel title="Passed by week">
          <LineChart
            label="Share of pipelines that passed, by week"
            lines={[{ name: 'passed', tone: 'success' }]}
            data={passed}
            axis={percentScale}
            fillsFirst
            format={(value) => percentText(value / 100)}
          />
        </Panel>
      </div>
      {!isOfOne && (
        <Panel title="Branches and tags" isFlush>
          <Table<PipelineStatistics['refs'][number]>
            label="Branches and tags"
            rows={statistics.refs}
            keyOf={({ ref }) => ref}
            columns={[
              {
                title: 'Branch or tag',
                isMain: true,
                cell: ({ ref }) => (
                  <a class={styles['name']} href={addressOf('pipelines/charts', { project }, { ref, weeks })}>
                    {ref}
                  </a>
                ),
              },
              { title: 'Pipelines', isNumber: true, cell: (row) => row.success + row.failed },
              {
                title: 'Passed',
                isNumber: true,
                cell: (row) => <Share figures={row} />,
              },
              { title: 'p50', isNumber: true, cell: ({ p50 }) => seconds(p50) },
              { title: 'p95', isNumber: true, cell: ({ p95 }) => seconds(p95) },
            ]}
          />
        </Panel>
      )}
      <div class={styles['pair']}>
        <Panel title="Slowest jobs" isFlush>
          <Jobs label="Slowest jobs" project={project} rows={statistics.slowest_jobs} of="p50" />
        </Panel>
        <Panel title="Flaky jobs" isFlush>
          {statistics.flakiest_jobs.length === 0 ? (
            <p class={styles['none']}>No job failed and passed at the same commit.</p>
          ) : (
            <Jobs label="Flaky jobs" project={project} rows={statistics.flakiest_jobs} of="flaky" />
          )}
        </Panel>
      </div>
      <p class={styles['quiet']}>
        Jobs are those of the newest {counted === 1 ? 'pipeline' : `${counted} pipelines`}. A job is flaky if
        it fails and passes at the same commit.
      </p>
    </div>
  )
}

function Figure({ title, value }: { title: string; value: string }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{value}</dd>
    </div>
  )
}

/** A share with a bar, which says the same. */
function Share({ figures }: { figures: { success: number; failed: number } }) {
  const share = passedShare(figures) ?? 0
  return (
    <span class={styles['share']}>
      <span class={styles['bar']} aria-hidden="true">
        <span style={{ width: `${share * 100}%` }} />
      </span>
      {percentText(share)}
    </span>
  )
}

interface JobsProps {
  label: string
  project: string
  rows: readonly JobFigures[]
  /** What the jobs are ordered by. */
  of: 'p50' | 'flaky'
}

function Jobs({ label, project, rows, of }: JobsProps) {
  const duration: Column<JobFigures>[] = [
    { title: 'p50', isNumber: true, cell: ({ p50 }) => seconds(p50) },
    { title: 'p95', isNumber: true, cell: ({ p95 }) => seconds(p95) },
  ]
  const flaky: Column<JobFigures>[] = [
    { title: 'Flaky', isNumber: true, cell: ({ flaky: count, runs }) => `${count} of ${runs}` },
  ]
  return (
    <Table<JobFigures>
      label={label}
      rows={rows}
      keyOf={({ name }) => name}
      columns={[
        {
          title: 'Job',
          isMain: true,
          // The list finds jobs by their whole name.
          cell: ({ name, parallel }) =>
            parallel ? (
              <span class={styles['name']}>
                {name} <Badge>parallel</Badge>
              </span>
            ) : (
              <a class={styles['name']} href={addressOf('jobs/list', { project }, { name })}>
                {name}
              </a>
            ),
        },
        ...(of === 'flaky' ? flaky : duration),
        { title: 'Failed', isNumber: true, cell: ({ failed, runs }) => percentText(failed / runs) },
      ]}
    />
  )
}

function seconds(value: number | null): string {
  return value === null ? '–' : formatDuration(value)
}
