import { ListChecks } from 'lucide'

import { addressOf, queryOf } from '../../../addresses/address-of.js'
import type { RunnerJob } from '../../../coordinator/ci/jobs/schema.js'
import { useReadList } from '../../api/use-read.js'
import { LoadMore } from '../../frame/load-more.js'
import { useSearch } from '../../frame/location.js'
import { ReadRows } from '../../frame/problem.js'
import { Empty } from '../../kit/empty.js'
import { Select } from '../../kit/field.js'
import { Panel } from '../../kit/panel.js'
import { SearchField } from '../../kit/search-field.js'
import { shownStatus, StatusBadge } from '../../kit/status.js'
import { Table } from '../../kit/table.js'
import { Duration, Time } from '../../kit/time.js'
import { partialSearchNote } from './partial-search.js'
import styles from './runner-view.module.css'

const CHOICES = [
  { value: '', label: 'All jobs' },
  { value: 'running', label: 'Running' },
  { value: 'success', label: 'Passed' },
  { value: 'failed', label: 'Failed' },
  { value: 'canceled', label: 'Canceled' },
]

/** The jobs that a runner runs and has run, the newest first. */
export function RunnerJobs({ id }: { id: number }) {
  const [search, setSearch] = useSearch()
  const status = search.get('status') ?? ''
  const name = search.get('name') ?? ''
  const list = (query: Record<string, string | number | undefined>) =>
    `/runners/${id}/jobs${queryOf({ ...query, status: status || undefined })}`
  const { rows, result, next } = useReadList<RunnerJob>(
    list({ per_page: 30, pagination: 'keyset', search: name || undefined }),
    { keepsPrevious: true, refetchInterval: 15_000 },
  )
  const all = useReadList<RunnerJob>(name === '' ? undefined : list({ per_page: 1 }), { staleTime: 60_000 })
  const note = partialSearchNote(all.rows.length, all.total)
  return (
    <>
      <Panel
        isFlush
        title="Jobs"
        actions={
          <>
            <SearchField
              label="Find jobs by name"
              placeholder="Part of the name"
              value={name}
              onSearch={(text) => setSearch({ name: text.trim() })}
            />
            <Select
              hidesLabel
              label="Status"
              value={status}
              onInput={(value) => setSearch({ status: value })}
              choices={CHOICES}
            />
          </>
        }
      >
        {note !== undefined && <p class={styles['partly']}>{note}</p>}
        <ReadRows
          of={{ rows, result }}
          outline={5}
          empty={
            <Empty
              icon={ListChecks}
              title={status === '' && name === '' ? 'This runner has not run a job yet.' : 'No job matches.'}
            />
          }
        >
          <Table<RunnerJob>
            label="Jobs"
            rows={rows}
            keyOf={(job) => job.id}
            columns={[
              { title: 'Status', isMain: true, cell: (job) => <StatusBadge status={shownStatus(job)} /> },
              {
                title: 'Job',
                isMain: true,
                cell: ({ id: job, name, project: { path_with_namespace: project } }) => (
                  <>
                    <a class={styles['name']} href={addressOf('jobs/job', { project, id: String(job) })}>
                      {name}
                    </a>{' '}
                    <span class={styles['quiet']}>#{job}</span>
                  </>
                ),
              },
              {
                title: 'Project',
                cell: ({ project: { path_with_namespace: path } }) => <a href={`/${path}`}>{path}</a>,
              },
              {
                title: 'Waited',
                isDetail: true,
                isNumber: true,
                cell: ({ queued_duration: seconds }) =>
                  seconds === null ? '–' : <Duration seconds={seconds} />,
              },
              {
                title: 'Duration',
                isDetail: true,
                isNumber: true,
                cell: ({ started_at: from, finished_at: to, duration }) =>
                  from === null ? (
                    '–'
                  ) : (
                    <Duration {...(to === null ? { from } : { seconds: duration ?? 0 })} />
                  ),
              },
              {
                title: 'Finished',
                cell: ({ finished_at: at }) => (at === null ? '–' : <Time value={at} />),
              },
            ]}
          />
        </ReadRows>
      </Panel>
      <LoadMore of="jobs" next={next} />
    </>
  )
}
