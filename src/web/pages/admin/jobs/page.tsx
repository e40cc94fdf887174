import { ListChecks } from 'lucide'
import { Fragment } from 'preact'
import { useState } from 'preact/hooks'

import { addressOf, queryOf } from '../../../../addresses/address-of.js'
import type { RunnerJob } from '../../../../coordinator/ci/jobs/schema.js'
import { useReadList } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { LoadMore } from '../../../frame/load-more.js'
import { useSearch } from '../../../frame/location.js'
import { ReadRows } from '../../../frame/problem.js'
import { Empty } from '../../../kit/empty.js'
import { CheckBox } from '../../../kit/field.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { shownStatus, StatusBadge } from '../../../kit/status.js'
import { Table } from '../../../kit/table.js'
import { Tabs } from '../../../kit/tabs.js'
import { Time } from '../../../kit/time.js'
import { DURATION_COLUMN, JobName, JobSearch } from '../../../records/job-list.js'
import { waitColumns } from '../../../records/wait-column.js'
import { CancelJobs } from './cancel-jobs.js'
import styles from './page.module.css'

const SCOPES = [
  ['', 'All'],
  ['running', 'Running'],
  ['pending', 'Pending'],
  ['failed', 'Failed'],
] as const

/** Statuses of jobs that can be canceled. */
const UNFINISHED: ReadonlySet<string> = new Set([
  ...['created', 'waiting_for_resource', 'preparing', 'waiting_for_callback'],
  ...['pending', 'running', 'scheduled'],
])

/** The jobs of all projects, the newest first. */
export function Page() {
  useTitle('Jobs')
  const [search] = useSearch()
  const scope = search.get('scope') ?? ''
  const name = search.get('name') ?? ''
  const list = `/jobs${queryOf({ per_page: 50, search: name || undefined, 'scope[]': scope || undefined })}`
  const { rows, result, next } = useReadList<RunnerJob>(list, {
    keepsPrevious: true,
    refetchInterval: 15_000,
  })
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const unfinished = rows.filter(({ status }) => UNFINISHED.has(status))
  const chosen = unfinished.filter(({ id }) => selected.has(id))
  const select = (jobs: readonly RunnerJob[], isSelected: boolean) => {
    const next = new Set(selected)
    for (const { id } of jobs) {
      if (isSelected) next.add(id)
      else next.delete(id)
    }
    setSelected(next)
  }
  return (
    <>
      <PageHeader title="Jobs" details="Jobs of all projects." />
      <Tabs
        label="Jobs"
        tabs={SCOPES.map(([value, label]) => ({
          label,
          href: `/admin/jobs${queryOf({ scope: value || undefined, name: name || undefined })}`,
          isCurrent: value === scope,
        }))}
      />
      <div class={styles['content']}>
        <JobSearch />
        <Panel
          isFlush
          {...(unfinished.length > 0 && {
            title: (
              <CheckBox
                label={<span class={styles['all']}>All {unfinished.length} unfinished jobs shown</span>}
                checked={chosen.length === unfinished.length}
                onInput={(isSelected) => select(unfinished, isSelected)}
              />
            ),
            actions: <CancelJobs jobs={chosen} onDone={() => setSelected(new Set())} />,
          })}
        >
          <ReadRows
            of={{ rows, result }}
            outline={8}
            empty={
              <Empty
                icon={ListChecks}
                title={name === '' ? 'There is no job here.' : `No job has ${name} in its name.`}
              />
            }
          >
            <Table<RunnerJob>
              label="Jobs"
              rows={rows}
              keyOf={({ id }) => id}
              columns={[
                ...(unfinished.length > 0
                  ? [
                      {
                        title: 'Select',
                        hidesTitle: true,
                        cell: (job: RunnerJob) =>
                          UNFINISHED.has(job.status) && (
                            <CheckBox
                              label={<span class="visually-hidden">{`Select ${job.name} #${job.id}`}</span>}
                              checked={selected.has(job.id)}
                              onInput={(isSelected) => select([job], isSelected)}
                            />
                          ),
                      },
                    ]
                  : []),
                { title: 'Status', isMain: true, cell: (job) => <StatusBadge status={shownStatus(job)} /> },
                {
                  title: 'Job',
                  isMain: true,
                  cell: (job) => <JobName project={job.project.path_with_namespace} job={job} />,
                },
                ...waitColumns(rows, (job) => job.waiting_for?.message),
                {
                  title: 'Project',
                  cell: ({ project: { path_with_namespace: path } }) => (
                    <a href={`/${path}`}>
                      {path.split('/').map((part, index) => (
                        <Fragment key={index}>
                          {index > 0 && '/'}
                          <wbr />
                          {part}
                        </Fragment>
                      ))}
                    </a>
                  ),
                },
                DURATION_COLUMN,
                {
                  title: 'Runner',
                  cell: ({ runner }) =>
                    runner ? (
                      <a href={addressOf('admin/runner', { id: String(runner.id) })}>
                        {runner.description ?? `#${runner.id}`}
                      </a>
                    ) : (
                      '–'
                    ),
                },
                { title: 'Created', cell: ({ created_at: value }) => <Time value={value} /> },
              ]}
            />
          </ReadRows>
        </Panel>
        <LoadMore of="jobs" next={next} />
      </div>
    </>
  )
}
