import { FlaskConical, SearchX } from 'lucide'

import { addressOf, queryOf } from '../../../../addresses/address-of.js'
import type { ListedTestCase } from '../../../../coordinator/ci/pipelines/test-case-schema.js'
import type { TestReportSummary } from '../../../../coordinator/ci/pipelines/test-report-schema.js'
import { useRead, useReadList, useRefetchOn } from '../../../api/use-read.js'
import { LoadMore } from '../../../frame/load-more.js'
import { useSearch } from '../../../frame/location.js'
import { Problem, Read } from '../../../frame/problem.js'
import { Button } from '../../../kit/button.js'
import { formatCount } from '../../../kit/bytes.js'
import { CodeBlock } from '../../../kit/code-block.js'
import { formatDuration } from '../../../kit/durations.js'
import { Empty } from '../../../kit/empty.js'
import { Select } from '../../../kit/field.js'
import { Panel } from '../../../kit/panel.js'
import { SearchField } from '../../../kit/search-field.js'
import { Skeleton } from '../../../kit/skeleton.js'
import { Table } from '../../../kit/table.js'
import { TestCases } from '../../../records/test-cases.js'
import { PipelineLayout } from '../pipeline-layout.js'
import { testCasesPath, testSummaryPath } from '../test-summary.js'
import type { ShownPipeline } from '../use-pipeline.js'
import styles from './page.module.css'

type Suite = TestReportSummary['test_suites'][number]

const EXAMPLE = `rspec:
  script: bundle exec rspec --format RspecJunitFormatter --out rspec.xml
  artifacts:
    reports:
      junit: rspec.xml`

/** The tests of a pipeline: suites, and the tests themselves, those that failed first. */
export function Page({ params }: { params: { project: string; id: string } }) {
  return (
    <PipelineLayout params={params} tab="tests">
      {(shown) => <Tests {...shown} />}
    </PipelineLayout>
  )
}

function Tests(shown: ShownPipeline) {
  const { project, pipeline } = shown
  const summary = useRead<TestReportSummary>(testSummaryPath(project, pipeline.id))
  return (
    <Read of={summary}>
      {(known) =>
        known.test_suites.length === 0 ? (
          <Panel>
            <Empty icon={FlaskConical} title="No job of this pipeline has reported tests.">
              <p>A job reports its tests with a JUnit file that the CI file names:</p>
              <CodeBlock label="an example of a report" text={EXAMPLE} />
            </Empty>
          </Panel>
        ) : (
          <Reported {...shown} summary={known} />
        )
      }
    </Read>
  )
}

function Reported({ project, pipeline, summary }: ShownPipeline & { summary: TestReportSummary }) {
  const { total, test_suites: suites } = summary
  const [search, setSearch] = useSearch()
  const suite = search.get('suite') ?? ''
  const job = search.get('job') ?? ''
  return (
    <div class={styles['content']}>
      <dl class={styles['totals']}>
        <Total name="Tests" value={formatCount(total.count)} />
        <Total
          name="Failed"
          value={formatCount(total.failed + total.error)}
          isFailure={total.failed + total.error > 0}
        />
        <Total name="Skipped" value={formatCount(total.skipped)} />
        <Total name="Passed" value={formatCount(total.success)} />
        <Total name="Time" value={formatDuration(total.time)} />
      </dl>
      <Suites
        suites={suites}
        current={suite}
        hrefOf={(name) =>
          addressOf('pipelines/tests', { project, id: String(pipeline.id) }, { suite: name || undefined })
        }
      />
      <div class={styles['filters']}>
        <SearchField
          class={styles['search']}
          label="Search the tests"
          placeholder="Name, class or file"
          value={search.get('search') ?? ''}
          onSearch={(value) => setSearch({ search: value })}
        />
        <Select
          label="Suite"
          value={suite}
          onInput={(value) => setSearch({ suite: value, job: '' })}
          choices={[
            { value: '', label: 'All suites' },
            ...suites.map(({ name }) => ({ value: name, label: name })),
          ]}
        />
        <Select
          label="Status"
          value={search.get('status') ?? ''}
          onInput={(value) => setSearch({ status: value })}
          choices={STATUSES}
        />
        <Select
          label="Time"
          value={search.get('min_time') ?? ''}
          onInput={(value) => setSearch({ min_time: value })}
          choices={TIMES}
        />
        <Select
          label="Order"
          value={search.get('order_by') ?? ''}
          onInput={(value) => setSearch({ order_by: value })}
          choices={[
            { value: '', label: 'Failed first' },
            { value: 'time', label: 'Slowest first' },
          ]}
        />
        {job !== '' && <Button onClick={() => setSearch({ job: '' })}>Only job #{job}: show all jobs</Button>}
      </div>
      <Cases project={project} pipeline={pipeline} summary={summary} search={search} />
    </div>
  )
}

const STATUSES = [
  { value: '', label: 'All statuses' },
  { value: 'failed', label: 'Failed' },
  { value: 'error', label: 'Error' },
  { value: 'skipped', label: 'Skipped' },
  { value: 'success', label: 'Passed' },
]

const TIMES = [
  { value: '', label: 'Any time' },
  { value: '1', label: '1 s and more' },
  { value: '10', label: '10 s and more' },
  { value: '60', label: '1 min and more' },
]

function Total({ name, value, isFailure = false }: { name: string; value: string; isFailure?: boolean }) {
  return (
    <div class={styles['total']}>
      <dt>{name}</dt>
      <dd class={isFailure ? styles['failed'] : undefined}>{value}</dd>
    </div>
  )
}

interface SuitesProps {
  suites: readonly Suite[]
  current: string
  hrefOf: (name: string) => string
}

function Suites({ suites, current, hrefOf }: SuitesProps) {
  return (
    <Panel title="Suites" isFlush>
      <Table<Suite>
        label="Suites"
        rows={suites}
        keyOf={({ name }) => name}
        columns={[
          {
            title: 'Suite',
            isMain: true,
            cell: ({ name, suite_error: error }) => (
              <>
                <a
                  class={styles['suite']}
                  href={hrefOf(name === current ? '' : name)}
                  aria-current={name === current ? 'true' : undefined}
                >
                  {name}
                </a>
                {error !== null && <div class={styles['problem']}>The report cannot be read: {error}</div>}
              </>
            ),
          },
          { title: 'Tests', isNumber: true, cell: ({ total_count: count }) => formatCount(count) },
          {
            title: 'Failed',
            isNumber: true,
            cell: ({ failed_count: failed, error_count: errors }) => (
              <span class={failed + errors > 0 ? styles['failed'] : undefined}>
                {formatCount(failed + errors)}
              </span>
            ),
          },
          { title: 'Skipped', isNumber: true, cell: ({ skipped_count: count }) => formatCount(count) },
          { title: 'Time', isNumber: true, cell: ({ total_time: time }) => formatDuration(time) },
        ]}
      />
    </Panel>
  )
}

const FILTERS = ['search', 'suite', 'job', 'status', 'min_time', 'order_by']

function Cases({
  project,
  pipeline,
  summary,
  search,
}: Pick<ShownPipeline, 'project' | 'pipeline'> & { summary: TestReportSummary; search: URLSearchParams }) {
  const query = Object.fromEntries(FILTERS.map((name) => [name, search.get(name) ?? undefined]))
  const list = useReadList<ListedTestCase>(
    testCasesPath(project, pipeline.id) + queryOf({ ...query, per_page: 50 }),
    { keepsPrevious: true },
  )
  const { result } = list
  // Then a job has reported since the list was read.
  useRefetchOn(summary.total.count, result)
  if (result.error) return <Problem error={result.error} retry={() => void result.refetch()} />
  if (!result.data) return <Skeleton rows={8} />
  if (list.rows.length === 0) {
    const isFiltered = FILTERS.some((name) => search.has(name))
    return (
      <Panel>
        <Empty
          icon={SearchX}
          title={
            isFiltered ? 'No test matches.' : 'The reports of this pipeline have expired, or have no tests.'
          }
        />
      </Panel>
    )
  }
  return (
    <Panel isFlush>
      <TestCases label="Tests" project={project} sha={pipeline.sha} cases={list.rows} />
      <LoadMore of="tests" next={list.next} />
    </Panel>
  )
}
