import { addressOf, queryOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { GraphJob, PipelineGraph } from '../../../../coordinator/ci/pipelines/graph/schema.js'
import type { PipelineSummary } from '../../../../coordinator/ci/pipelines/schema.js'
import { useRead } from '../../../api/use-read.js'
import { useSearch } from '../../../frame/location.js'
import { Read } from '../../../frame/problem.js'
import { Badge } from '../../../kit/badge.js'
import { formatDuration } from '../../../kit/durations.js'
import { Empty } from '../../../kit/empty.js'
import { Select } from '../../../kit/field.js'
import { Panel } from '../../../kit/panel.js'
import { relativeTime } from '../../../kit/relative-time.js'
import { shownStatus, StatusBadge, statusLook } from '../../../kit/status.js'
import { Table } from '../../../kit/table.js'
import { Duration } from '../../../kit/time.js'
import { type Change, type ComparedJob, compareJobs } from '../compare-jobs.js'
import { PipelineLayout } from '../pipeline-layout.js'
import type { ShownPipeline } from '../use-pipeline.js'
import styles from './page.module.css'

/** The jobs of a pipeline beside those of another one of its branch. */
export function Page({ params }: { params: { project: string; id: string } }) {
  return (
    <PipelineLayout params={params} tab="compare">
      {(shown) => <Compare {...shown} />}
    </PipelineLayout>
  )
}

function Compare({ project, pipeline, graph }: ShownPipeline) {
  const [search, setSearch] = useSearch()
  const path = `${projectApi(project)}/pipelines`
  const others = useRead<PipelineSummary[]>(path + queryOf({ ref: pipeline.ref, per_page: 50 }))
  return (
    <Read of={others}>
      {(all) => {
        const choices = all.filter(({ id }) => id !== pipeline.id)
        const passed = choices.find(({ id, status }) => id < pipeline.id && status === 'success')
        const chosen = search.get('with') ?? String((passed ?? choices[0])?.id ?? '')
        if (chosen === '') {
          return <Empty title={`${pipeline.ref} has no other pipeline.`} />
        }
        return (
          <>
            <div class={styles['choice']}>
              <Select
                label="Compare with"
                value={chosen}
                onInput={(id) => setSearch({ with: id })}
                choices={choices.map(({ id, status, created_at: created }) => ({
                  value: String(id),
                  label: `#${id}: ${statusLook(status).label}, ${relativeTime(Date.parse(created), Date.now())}`,
                }))}
              />
            </div>
            <Compared project={project} other={chosen} graph={graph} />
          </>
        )
      }}
    </Read>
  )
}

const CHANGES: Record<Change, { label: string; tone: 'failed' | 'success' | 'accent' | 'neutral' }> = {
  broken: { label: 'broken', tone: 'failed' },
  mended: { label: 'fixed', tone: 'success' },
  new: { label: 'new', tone: 'accent' },
  gone: { label: 'gone', tone: 'accent' },
  changed: { label: 'changed', tone: 'accent' },
  same: { label: 'same', tone: 'neutral' },
}

function Compared({ project, other, graph }: { project: string; other: string; graph: PipelineGraph }) {
  const before = useRead<PipelineGraph>(`${projectApi(project)}/pipelines/${other}/graph`)
  return (
    <Read of={before}>
      {(known) => (
        <Panel isFlush>
          <Table<ComparedJob>
            label="Compared jobs"
            rows={compareJobs(known.jobs, graph.jobs)}
            keyOf={({ name }) => name}
            columns={[
              { title: 'Job', isMain: true, cell: ({ name }) => <strong>{name}</strong> },
              {
                title: 'Change',
                cell: ({ change }) => <Badge tone={CHANGES[change].tone}>{CHANGES[change].label}</Badge>,
              },
              {
                title: `#${other}`,
                isDetail: true,
                cell: (row) => <Side project={project} job={row.before} />,
              },
              {
                title: `#${graph.id}`,
                isDetail: true,
                cell: (row) => <Side project={project} job={row.after} />,
              },
              { title: 'Difference', isNumber: true, cell: ({ slower }) => differenceText(slower) },
            ]}
          />
        </Panel>
      )}
    </Read>
  )
}

function Side({ project, job }: { project: string; job: GraphJob | undefined }) {
  if (!job) return <span>–</span>
  return (
    <span class={styles['side']}>
      <a href={addressOf('jobs/job', { project, id: String(job.id) })}>
        <StatusBadge status={shownStatus(job)} />
      </a>
      {job.duration !== null && <Duration seconds={job.duration} />}
    </span>
  )
}

function differenceText(slower: number | undefined): string {
  if (slower === undefined) return '–'
  return `${slower < 0 ? '−' : '+'}${formatDuration(Math.abs(slower))}`
}
