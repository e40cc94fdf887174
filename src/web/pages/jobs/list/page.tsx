import { ListChecks } from 'lucide'

import { addressOf, queryOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { Job } from '../../../../coordinator/ci/jobs/schema.js'
import type { FullProject } from '../../../../coordinator/hosting/projects/record/schema.js'
import { useRead, useReadList } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { LoadMore } from '../../../frame/load-more.js'
import { useSearch } from '../../../frame/location.js'
import { ReadRows } from '../../../frame/problem.js'
import { Badge } from '../../../kit/badge.js'
import { Empty } from '../../../kit/empty.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { shownStatus, StatusBadge } from '../../../kit/status.js'
import { Table } from '../../../kit/table.js'
import { Tabs } from '../../../kit/tabs.js'
import { Time } from '../../../kit/time.js'
import { useLive } from '../../../live/use-live.js'
import { DURATION_COLUMN, JobName, JobSearch } from '../../../records/job-list.js'
import { RunnerLink } from '../../../records/runners/runner-link.js'
import { waitColumns } from '../../../records/wait-column.js'
import styles from './page.module.css'

const SCOPES = [
  ['', 'All', []],
  ['running', 'Running', ['running', 'canceling']],
  ['pending', 'Pending', ['pending', 'waiting_for_resource', 'preparing']],
  ['failed', 'Failed', ['failed']],
  ['finished', 'Finished', ['success', 'failed', 'canceled']],
] as const

/** The jobs of a project, the newest first. */
export function Page({ params: { project } }: { params: { project: string } }) {
  useTitle(`Jobs · ${project}`)
  const [search] = useSearch()
  const name = search.get('name') ?? ''
  const scope = SCOPES.find(([value]) => value === (search.get('scope') ?? '')) ?? SCOPES[0]
  const record = useRead<FullProject>(projectApi(project)).data
  const statuses = scope[2].map((status) => `&scope[]=${status}`).join('')
  const path = `${projectApi(project)}/jobs${queryOf({
    search: name || undefined,
    per_page: 50,
    pagination: 'keyset',
  })}${statuses}`
  const { rows, next, result } = useReadList<Job>(path, {
    keepsPrevious: true,
    // Positions in the queue change with the jobs of others.
    refetchInterval: 15_000,
  })
  const reload = () => void result.refetch()
  useLive(record ? [`project/${record.id}`] : [], { pipeline: reload }, reload)
  return (
    <>
      <PageHeader title="Jobs" />
      <Tabs
        label="Jobs"
        tabs={SCOPES.map((each) => ({
          label: each[1],
          href: addressOf('jobs/list', { project }, { scope: each[0] || undefined, name: name || undefined }),
          isCurrent: each === scope,
        }))}
      />
      <div class={styles['content']}>
        <JobSearch />
        <Panel isFlush>
          <ReadRows
            of={{ rows, result }}
            outline={8}
            empty={
              <Empty
                icon={ListChecks}
                title={
                  name !== ''
                    ? `No job has ${name} in its name.`
                    : scope[0] === ''
                      ? 'No job has run yet.'
                      : `No job is ${scope[1].toLowerCase()}.`
                }
              />
            }
          >
            <Table<Job>
              label="Jobs"
              rows={rows}
              keyOf={({ id }) => id}
              columns={[
                { title: 'Status', isMain: true, cell: (job) => <StatusBadge status={shownStatus(job)} /> },
                {
                  title: 'Job',
                  isMain: true,
                  cell: (job) => (
                    <>
                      <JobName project={project} job={job} />{' '}
                      {job.tag_list.map((tag) => (
                        <Badge key={tag}>{tag}</Badge>
                      ))}
                    </>
                  ),
                },
                ...waitColumns(rows, (job) => job.waiting_for?.message),
                { title: 'Stage', isDetail: true, isShort: true, cell: ({ stage }) => stage },
                {
                  title: 'Pipeline',
                  cell: ({ pipeline, ref }) => (
                    <span class={styles['pipeline']}>
                      <a href={addressOf('pipelines/pipeline', { project, id: String(pipeline.id) })}>
                        #{pipeline.id}
                      </a>{' '}
                      <span class={styles['quiet']}>{ref}</span>
                    </span>
                  ),
                },
                DURATION_COLUMN,
                { title: 'Created', isDetail: true, cell: ({ created_at: value }) => <Time value={value} /> },
                {
                  title: 'Runner',
                  isDetail: true,
                  cell: ({ runner }) => (runner ? <RunnerLink project={project} runner={runner} /> : '–'),
                },
              ]}
            />
          </ReadRows>
        </Panel>
        <LoadMore of="jobs" next={next} />
      </div>
    </>
  )
}
