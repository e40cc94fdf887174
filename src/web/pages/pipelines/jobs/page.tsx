import { SearchX } from 'lucide'

import { addressOf } from '../../../../addresses/address-of.js'
import type { GraphJob } from '../../../../coordinator/ci/pipelines/graph/schema.js'
import { useSearch } from '../../../frame/location.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { countByStatus } from '../../../graph/job-groups.js'
import { Badge } from '../../../kit/badge.js'
import { Empty } from '../../../kit/empty.js'
import { Select } from '../../../kit/field.js'
import { Panel } from '../../../kit/panel.js'
import { SearchField } from '../../../kit/search-field.js'
import { shownStatus, StatusBadge, statusLook } from '../../../kit/status.js'
import { Table } from '../../../kit/table.js'
import { Duration, Time } from '../../../kit/time.js'
import { failureWords } from '../../../records/failure-words.js'
import { RunnerLink } from '../../../records/runners/runner-link.js'
import { waitColumns } from '../../../records/wait-column.js'
import { JobAction } from '../job-action.js'
import { PipelineLayout } from '../pipeline-layout.js'
import type { ShownPipeline } from '../use-pipeline.js'
import { jobsInOrder, ORDERS } from './jobs-in-order.js'
import styles from './page.module.css'
import { useWaitReasons } from './use-wait-reasons.js'

/** All jobs of a pipeline as a table. */
export function Page({ params }: { params: { project: string; id: string } }) {
  return (
    <PipelineLayout params={params} tab="jobs">
      {(shown) => <Jobs {...shown} />}
    </PipelineLayout>
  )
}

function Jobs({ project, pipeline, graph }: ShownPipeline) {
  const [search, setSearch] = useSearch()
  const { may, reasonAgainst } = useProjectAbilities(project)
  const [mayRun, reason] = [may('run_pipelines'), reasonAgainst('run_pipelines')]
  const stage = search.get('stage') ?? ''
  const status = search.get('status') ?? ''
  const filter = {
    text: search.get('search') ?? '',
    runner: search.get('runner') ?? '',
    tag: search.get('tag') ?? '',
  }
  const order = ORDERS.find((each) => each === search.get('order_by')) ?? ''
  const jobs = jobsInOrder(graph.jobs, filter, order).filter(
    (job) => (stage === '' || job.stage === stage) && (status === '' || shownStatus(job) === status),
  )
  const reasonOf = useWaitReasons(project, pipeline.id, graph.jobs)
  const runners = new Map(graph.jobs.flatMap(({ runner }) => (runner ? [[String(runner.id), runner]] : [])))
  const tags = [...new Set(graph.jobs.flatMap((job) => job.tags))].toSorted()
  return (
    <>
      <div class={styles['filters']}>
        <SearchField
          class={styles['search']}
          label="Search the jobs"
          placeholder="Name of a job"
          value={filter.text}
          onSearch={(text) => setSearch({ search: text })}
        />
        <Select
          label="Stage"
          value={stage}
          onInput={(value) => setSearch({ stage: value })}
          choices={[
            { value: '', label: 'All stages' },
            ...graph.stages.map(({ name }) => ({ value: name, label: name })),
          ]}
        />
        <Select
          label="Status"
          value={status}
          onInput={(value) => setSearch({ status: value })}
          choices={[
            { value: '', label: 'All statuses' },
            ...countByStatus(graph.jobs).map((each) => ({
              value: each.status,
              label: `${statusLook(each.status).label} (${each.count})`,
            })),
          ]}
        />
        {runners.size > 1 && (
          <Select
            label="Runner"
            value={filter.runner}
            onInput={(value) => setSearch({ runner: value })}
            choices={[
              { value: '', label: 'All runners' },
              ...[...runners].map(([id, { description }]) => ({ value: id, label: description ?? `#${id}` })),
            ]}
          />
        )}
        {tags.length > 1 && (
          <Select
            label="Tag"
            value={filter.tag}
            onInput={(value) => setSearch({ tag: value })}
            choices={[{ value: '', label: 'All tags' }, ...tags.map((tag) => ({ value: tag, label: tag }))]}
          />
        )}
        <Select
          label="Order"
          value={order}
          onInput={(value) => setSearch({ order_by: value })}
          choices={[
            { value: '', label: 'As in the pipeline' },
            { value: 'name', label: 'Name' },
            { value: 'duration', label: 'Longest first' },
            { value: 'waited', label: 'Longest wait first' },
            { value: 'finished', label: 'Latest end first' },
          ]}
        />
      </div>
      <Panel isFlush>
        {jobs.length === 0 && <Empty icon={SearchX} title="No job matches." />}
        <Table<GraphJob>
          label="Jobs"
          rows={jobs}
          keyOf={({ id }) => id}
          columns={[
            {
              title: 'Status',
              isMain: true,
              cell: (job) => <StatusBadge status={shownStatus(job)} />,
            },
            {
              title: 'Job',
              isMain: true,
              cell: (job) => (
                <>
                  <a class={styles['name']} href={addressOf('jobs/job', { project, id: String(job.id) })}>
                    {job.name}
                  </a>{' '}
                  {job.attempts > 1 && (
                    <Badge title={`${job.attempts} attempts`}>attempt {job.attempts}</Badge>
                  )}{' '}
                  {job.tags.map((tag) => (
                    <Badge key={tag}>{tag}</Badge>
                  ))}
                  {job.failure_reason !== null && (
                    <div class={styles['reason']}>{failureWords(job.failure_reason)}</div>
                  )}
                </>
              ),
            },
            ...waitColumns(jobs, (job) => reasonOf(job)),
            { title: 'Stage', cell: ({ stage: name }) => <span class={styles['stage']}>{name}</span> },
            {
              title: 'Duration',
              isNumber: true,
              cell: ({ duration, started_at: from }) =>
                from === null ? (
                  '–'
                ) : (
                  <Duration {...(duration === null ? { from } : { seconds: duration })} />
                ),
            },
            {
              title: 'Waited',
              isNumber: true,
              cell: ({ queued_duration: seconds }) =>
                seconds === null ? '–' : <Duration seconds={seconds} />,
            },
            {
              title: 'Finished',
              cell: ({ finished_at: value }) => (value === null ? '–' : <Time value={value} />),
            },
            {
              title: 'Runner',
              cell: ({ runner }) => (runner ? <RunnerLink project={project} runner={runner} /> : '–'),
            },
            {
              title: 'Actions',
              hidesTitle: true,
              cell: (job) => <JobAction {...{ project, job, mayRun, reason }} pipeline={pipeline.id} />,
            },
          ]}
        />
      </Panel>
    </>
  )
}
