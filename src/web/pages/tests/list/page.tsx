import { CircleCheck, FlaskConical, SearchX } from 'lucide'

import { addressOf, queryOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { DetailedPipeline } from '../../../../coordinator/ci/pipelines/details/schema.js'
import type { ListedTestCase } from '../../../../coordinator/ci/pipelines/test-case-schema.js'
import type { FailedCase } from '../../../../coordinator/ci/test-cases/schema.js'
import type { SimpleProject } from '../../../../coordinator/hosting/projects/record/schema.js'
import { useRead, useReadList } from '../../../api/use-read.js'
import { RefPicker } from '../../../code/ref-picker.js'
import { useTitle } from '../../../frame/document-title.js'
import { LoadMore } from '../../../frame/load-more.js'
import { useSearch } from '../../../frame/location.js'
import { Problem, Read, ReadRows } from '../../../frame/problem.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { Badge } from '../../../kit/badge.js'
import { Button } from '../../../kit/button.js'
import { Empty } from '../../../kit/empty.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { SearchField } from '../../../kit/search-field.js'
import { Skeleton } from '../../../kit/skeleton.js'
import { Table } from '../../../kit/table.js'
import { Tabs } from '../../../kit/tabs.js'
import { Time } from '../../../kit/time.js'
import { Tools } from '../../../kit/tools.js'
import { TestCases } from '../../../records/test-cases.js'
import { FailureLinks } from '../failure-links.js'
import styles from './page.module.css'

const VIEWS = [
  ['', 'Failed lately'],
  ['failures', 'Most failures'],
  ['flaky', 'Flaky'],
  ['slowest', 'Slowest'],
] as const

type View = (typeof VIEWS)[number][0]

/** The tests of a branch that need care: those that fail, are flaky, or take long. */
export function Page({ params: { project } }: { params: { project: string } }) {
  useTitle(`Tests · ${project}`)
  const record = useRead<SimpleProject>(projectApi(project))
  return (
    <Read of={record} title="Tests">
      {({ default_branch: branch }) => <Tests project={project} branch={branch} />}
    </Read>
  )
}

function Tests({ project, branch: defaultBranch }: { project: string; branch: string | null }) {
  const [search, setSearch] = useSearch()
  const { may } = useProjectAbilities(project)
  const view = VIEWS.find(([name]) => name === search.get('view'))?.[0] ?? ''
  const branch = search.get('branch') ?? defaultBranch ?? undefined
  const text = search.get('search') ?? ''
  const href = (changes: Record<string, string | undefined>) =>
    addressOf('tests/list', { project }, { ...Object.fromEntries(search), ...changes })
  const props = { project, branch, search: text, clear: () => setSearch({ search: '' }) }
  return (
    <>
      <PageHeader title="Tests" />
      <Tabs
        label="Tests"
        tabs={VIEWS.map(([name, label]) => ({
          label,
          href: href({ view: name || undefined }),
          isCurrent: name === view,
        }))}
      />
      <Tools class={styles['tools']}>
        {branch !== undefined && may('read_code') && (
          <RefPicker project={project} current={branch} hrefOf={(name) => href({ branch: name })} />
        )}
        <SearchField
          class={styles['search']}
          label="Search the tests"
          placeholder="Name, class or file"
          value={text}
          onSearch={(value) => setSearch({ search: value })}
        />
      </Tools>
      {view === 'slowest' ? <Slowest {...props} /> : <Failed {...props} view={view} />}
    </>
  )
}

interface ListProps {
  project: string
  branch: string | undefined
  search: string
  clear: () => void
}

function Failed({ project, branch, search, clear, view }: ListProps & { view: Exclude<View, 'slowest'> }) {
  const list = useReadList<FailedCase>(
    `${projectApi(project)}/test_cases${queryOf({
      branch,
      search: search || undefined,
      flaky: view === 'flaky' || undefined,
      order_by: view === 'failures' ? 'failures' : undefined,
      per_page: 50,
    })}`,
    { keepsPrevious: true },
  )
  const { result } = list
  if (result.error) return <Problem error={result.error} retry={() => void result.refetch()} />
  if (!result.data) return <Skeleton rows={8} />
  if (list.rows.length === 0) return <NoTests isSearch={search !== ''} clear={clear} view={view} />
  return (
    <Panel isFlush>
      <Table<FailedCase>
        label="Tests"
        rows={list.rows}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Test',
            isMain: true,
            cell: ({ name, suite, classname, digest }) => (
              <>
                <a
                  class={styles['name']}
                  data-entry=""
                  href={addressOf('tests/case', { project, case: digest }, { branch })}
                >
                  {name}
                </a>
                <div class={styles['where']}>
                  {suite}
                  {classname !== '' && ` · ${classname}`}
                </div>
              </>
            ),
          },
          {
            title: 'Failures',
            isNumber: true,
            cell: ({ failures, flaky_failures: flaky }) => (
              <>
                {flaky > 0 && (
                  <Badge tone="warning" title="Failures after or before which it passed at the same commit">
                    {flaky} flaky
                  </Badge>
                )}{' '}
                {failures}
              </>
            ),
          },
          {
            title: 'Last failure',
            cell: ({ last_failure: last, failed_at: at }) =>
              last ? <FailureLinks project={project} failure={last} /> : <Time value={at} />,
          },
        ]}
      />
      <LoadMore of="tests" next={list.next} />
    </Panel>
  )
}

function NoTests({ isSearch, clear, view }: { isSearch: boolean; clear: () => void; view: View }) {
  if (isSearch) {
    return (
      <Panel>
        <Empty
          icon={SearchX}
          title="No test matches."
          action={<Button onClick={clear}>Show all tests</Button>}
        />
      </Panel>
    )
  }
  return (
    <Panel>
      <Empty
        icon={CircleCheck}
        title={
          view === 'flaky'
            ? 'No test was flaky on this branch within 90 days.'
            : 'No test has failed on this branch within 90 days.'
        }
      >
        Tests are those of JUnit reports: <code>artifacts:reports:junit</code> in the CI file.
      </Empty>
    </Panel>
  )
}

/** From the latest pipeline of the branch that has reported tests. */
function Slowest({ project, branch, search, clear }: ListProps) {
  const base = projectApi(project)
  const pipelines = useRead<DetailedPipeline[]>(
    `${base}/pipelines${queryOf({ ref: branch, with_details: true, per_page: 20 })}`,
  )
  const pipeline = pipelines.data?.find(({ tests }) => tests !== null && tests.total > 0)
  const cases = useReadList<ListedTestCase>(
    pipeline &&
      `${base}/pipelines/${pipeline.id}/test_cases${queryOf({ order_by: 'time', search: search || undefined, per_page: 50 })}`,
    { keepsPrevious: true },
  )
  if (pipelines.data && !pipeline) {
    return (
      <Panel>
        <Empty icon={FlaskConical} title="No recent pipeline of this branch has reported tests." />
      </Panel>
    )
  }
  if (pipelines.error) return <Problem error={pipelines.error} retry={() => void pipelines.refetch()} />
  return (
    <ReadRows
      of={cases}
      outline={8}
      empty={<NoTests isSearch={search !== ''} clear={clear} view="slowest" />}
    >
      {pipeline && (
        <>
          <p class={styles['source']}>
            <span>The latest pipeline with tests:</span>
            <a href={addressOf('pipelines/tests', { project, id: String(pipeline.id) })}>#{pipeline.id}</a>
            <Time value={pipeline.created_at} />
          </p>
          <Panel isFlush>
            <TestCases label="Slowest tests" project={project} sha={pipeline.sha} cases={cases.rows} />
            <LoadMore of="tests" next={cases.next} />
          </Panel>
        </>
      )}
    </ReadRows>
  )
}
