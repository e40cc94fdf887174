import { FlaskConical } from 'lucide'

import { addressOf, queryOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { ListedTestCase } from '../../../../coordinator/ci/pipelines/test-case-schema.js'
import type { CaseHistory, TestFailure, TestRun } from '../../../../coordinator/ci/test-cases/schema.js'
import type { SingleCommit } from '../../../../coordinator/hosting/commits/schema.js'
import { useRead } from '../../../api/use-read.js'
import { RefPicker } from '../../../code/ref-picker.js'
import { useTitle } from '../../../frame/document-title.js'
import { useSearch } from '../../../frame/location.js'
import { Problem, Read } from '../../../frame/problem.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { Alert } from '../../../kit/alert.js'
import { Badge } from '../../../kit/badge.js'
import { LinkButton } from '../../../kit/button.js'
import { Empty } from '../../../kit/empty.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { StatusBadge } from '../../../kit/status.js'
import { Table } from '../../../kit/table.js'
import { fullTime, Time } from '../../../kit/time.js'
import { barPath, barShape } from '../../../records/bar-heights.js'
import { CommitLine } from '../../../records/commit-line.js'
import { TestCases } from '../../../records/test-cases.js'
import { FailureLinks } from '../failure-links.js'
import styles from './page.module.css'

interface PageParams {
  project: string
  case: string
}

/** One test: its results in the last pipelines of a branch, and since when it fails. */
export function Page({ params: { project, case: digest } }: { params: PageParams }) {
  const [search] = useSearch()
  const branch = search.get('branch') ?? undefined
  const history = useRead<CaseHistory>(
    `${projectApi(project)}/test_cases/${encodeURIComponent(digest)}${queryOf({ branch })}`,
    { keepsPrevious: true },
  )
  useTitle(history.data ? `${history.data.name} · ${project}` : `Test · ${project}`, statusOf(history.data))
  if (history.error && 'status' in history.error && history.error.status === 404) {
    return <Unknown project={project} />
  }
  if (history.error) return <Problem error={history.error} retry={() => void history.refetch()} />
  return (
    <Read of={history} title="Test">
      {(known) => <History project={project} history={known} />}
    </Read>
  )
}

/** The status of the test in the latest run. */
function statusOf(history: CaseHistory | undefined): string | undefined {
  const latest = history?.runs[0]?.status
  return latest && { passed: 'success', failed: 'failed', flaky: 'warning' }[latest]
}

function Unknown({ project }: { project: string }) {
  return (
    <Empty
      icon={FlaskConical}
      title="This test has not failed within 90 days."
      action={<LinkButton href={addressOf('tests/list', { project })}>Tests that failed</LinkButton>}
    >
      The history of a test begins with its first failure.
    </Empty>
  )
}

function History({ project, history }: { project: string; history: CaseHistory }) {
  const { name, classname, suite, file, branch, digest } = history
  const { may } = useProjectAbilities(project)
  const status = statusOf(history)
  return (
    <>
      <PageHeader
        title={
          <>
            {status !== undefined && (
              <StatusBadge status={status} label={status === 'warning' ? 'flaky' : undefined} />
            )}
            <span>{name}</span>
          </>
        }
        details={
          <>
            <span>{suite}</span>
            {classname !== '' && <span>{classname}</span>}
            {file !== null && <span>{file}</span>}
          </>
        }
        actions={
          branch !== null &&
          may('read_code') && (
            <RefPicker
              project={project}
              current={branch}
              hrefOf={(ref) => addressOf('tests/case', { project, case: digest }, { branch: ref })}
            />
          )
        }
      />
      <div class={styles['content']}>
        <Runs project={project} history={history} />
        {history.first_bad && <FirstBad project={project} run={history.first_bad} />}
        <LastOutput project={project} history={history} />
        <Failures project={project} failures={history.recent} />
      </div>
    </>
  )
}

function Runs({ project, history }: { project: string; history: CaseHistory }) {
  const { runs, failed_runs: failed, branch } = history
  if (runs.length === 0) {
    return (
      <Panel title="Runs">
        <Empty
          title={`No pipeline of ${branch ?? 'this branch'} has reported the suite of this test lately.`}
        />
      </Panel>
    )
  }
  return (
    <Panel title="Runs">
      <p class={styles['sum']}>
        Failed in {failed} of the last {runs.length} {runs.length === 1 ? 'pipeline' : 'pipelines'} of{' '}
        {branch} with this suite.
      </p>
      <ol class={styles['runs']} aria-label="Runs, the oldest first">
        {runs.toReversed().map((run) => (
          <li key={run.pipeline_id}>
            <a
              href={addressOf('jobs/job', { project, id: String(run.job_id) })}
              aria-label={`Pipeline #${run.pipeline_id}: ${run.status}`}
              title={`#${run.pipeline_id}: ${run.status}, ${fullTime(run.created_at)}`}
            >
              <RunBar status={run.status} />
            </a>
          </li>
        ))}
      </ol>
      <div class={styles['legend']} aria-hidden="true">
        {(['passed', 'failed', 'flaky'] as const).map((status) => (
          <span key={status}>
            <RunBar status={status} /> {status}
          </span>
        ))}
      </div>
    </Panel>
  )
}

const BARS = { passed: ['success', 14], failed: ['failed', 36], flaky: ['warning', 26] } as const

/** Its height and its end tell the status too, not the color alone. */
function RunBar({ status }: { status: TestRun['status'] }) {
  const [shape, height] = BARS[status]
  return (
    <svg width="12" height={height} viewBox={`0 0 12 ${height}`} aria-hidden="true">
      <path
        class={styles[status]}
        d={barPath(barShape(shape), { x: 0, width: 12, height, bottom: height })}
      />
    </svg>
  )
}

function FirstBad({ project, run }: { project: string; run: TestRun }) {
  const { may } = useProjectAbilities(project)
  const commit = useRead<SingleCommit>(
    may('read_code') ? `${projectApi(project)}/repository/commits/${run.sha}?stats=false` : undefined,
  ).data
  return (
    <Alert
      tone="error"
      title={
        <>
          Broken since <Time value={run.created_at} />
        </>
      }
      actions={
        <LinkButton
          size="small"
          href={addressOf('pipelines/tests', { project, id: String(run.pipeline_id) })}
        >
          Pipeline #{run.pipeline_id}
        </LinkButton>
      }
    >
      {commit && <CommitLine project={project} commit={commit} />}
    </Alert>
  )
}

/** The output of the last failure, while its report is kept. */
function LastOutput({ project, history }: { project: string; history: CaseHistory }) {
  const { last_failure: last, digest, name } = history
  const cases = useRead<ListedTestCase[]>(
    last
      ? `${projectApi(project)}/pipelines/${last.pipeline_id}/test_cases${queryOf({ job: last.job_id, search: name, per_page: 20 })}`
      : undefined,
  )
  const found = cases.data?.find((testCase) => testCase.digest === digest)
  if (!last || !found) return null
  return (
    <Panel title="Last failure" isFlush>
      <TestCases label="Last failure" project={project} sha={last.sha} cases={[found]} areOpenAtFirst />
    </Panel>
  )
}

function Failures({ project, failures }: { project: string; failures: readonly TestFailure[] }) {
  if (failures.length === 0) return null
  return (
    <Panel title="Failures on any branch" isFlush>
      <Table<TestFailure>
        label="Failures"
        rows={failures}
        keyOf={({ job_id: job }) => job}
        columns={[
          {
            title: 'Failure',
            isMain: true,
            cell: (failure) => (
              <>
                <FailureLinks project={project} failure={failure} />{' '}
                {failure.flaky && <Badge tone="warning">flaky</Badge>}
              </>
            ),
          },
          {
            title: 'Branch or tag',
            cell: ({ ref }) => <a href={addressOf('code/commits', { project, ref_path: ref })}>{ref}</a>,
          },
          {
            title: 'Job',
            cell: ({ job_id: job }) => (
              <a href={addressOf('jobs/job', { project, id: String(job) })}>#{job}</a>
            ),
          },
        ]}
      />
    </Panel>
  )
}
