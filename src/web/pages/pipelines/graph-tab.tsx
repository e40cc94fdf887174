import { useCallback, useMemo, useState } from 'preact/hooks'

import { addressOf } from '../../../addresses/address-of.js'
import type { GraphJob } from '../../../coordinator/ci/pipelines/graph/schema.js'
import { useSearch } from '../../frame/location.js'
import { useProjectAbilities } from '../../frame/use-abilities.js'
import { GraphView } from '../../graph/graph-view.js'
import { useGraphZoom, ZoomButtons } from '../../graph/graph-zoom.js'
import { countByStatus, groupJobs } from '../../graph/job-groups.js'
import { needColumns, stageColumns } from '../../graph/layers.js'
import { relationsOf } from '../../graph/relations.js'
import { Button } from '../../kit/button.js'
import { SearchField } from '../../kit/search-field.js'
import { shownStatus, StatusIcon, statusLook } from '../../kit/status.js'
import { Tools } from '../../kit/tools.js'
import { FollowButton } from './follow-button.js'
import styles from './graph-tab.module.css'
import { JobAction } from './job-action.js'
import { LogSplit } from './log-split.js'
import { useLinkedPipelines } from './use-linked-pipelines.js'
import { useLogPane } from './use-log-pane.js'
import type { ShownPipeline } from './use-pipeline.js'

/** The jobs of a pipeline by stages, or by what they need. */
export function GraphTab({
  project,
  graph,
  by,
}: Pick<ShownPipeline, 'project' | 'graph'> & { by: 'stages' | 'needs' }) {
  const [search, setSearch] = useSearch()
  const [focus, setFocus] = useState<string>()
  const zoom = useGraphZoom()
  const { linked, projectOf, readers } = useLinkedPipelines(project, graph)
  // The page of a failed pipeline shows its failures, unless the address asks for the graph.
  const pane = useLogPane(graph, by === 'stages' ? { view: 'graph' } : {})
  const text = search.get('job') ?? ''
  const status = search.get('status') ?? ''
  const stages = useMemo(() => graph.stages.map(({ name }) => name), [graph.stages])
  const groups = useMemo(() => groupJobs(graph.jobs), [graph.jobs])
  const relations = useMemo(() => relationsOf(groups, stages, by === 'needs'), [groups, stages, by])
  const columns = useMemo(
    () => (by === 'stages' ? stageColumns(groups, stages) : needColumns(groups, relations)),
    [groups, stages, relations, by],
  )
  const headings = useMemo(
    () =>
      by === 'stages'
        ? graph.stages.filter(({ name }) => groups.some((group) => group.stage === name))
        : undefined,
    [graph.stages, groups, by],
  )
  const matches = useMemo(() => matcher(text, status), [text, status])
  const addressOfJob = useCallback((job: GraphJob) => jobAddress(projectOf(job), job), [projectOf])
  const { may, reasonAgainst } = useProjectAbilities(project)
  const [mayRun, reason] = [may('run_pipelines'), reasonAgainst('run_pipelines')]
  const actionOf = useCallback(
    (job: GraphJob) => {
      const of = projectOf(job)
      if (of !== project) return <LinkedJobAction project={of} job={job} />
      return <JobAction {...{ project, job, mayRun, reason }} pipeline={job.pipeline_id} />
    },
    [project, projectOf, mayRun, reason],
  )
  const { onOpen } = pane
  const openJob = useCallback(
    (job: GraphJob, event: MouseEvent) => {
      // The log beside the graph is one of this project.
      if (projectOf(job) === project) onOpen(job, event)
    },
    [project, projectOf, onOpen],
  )
  return (
    <>
      <Tools class={styles['tools']}>
        <SearchField
          label="Filter jobs by name"
          placeholder="Filter jobs"
          value={text}
          onSearch={(job) => setSearch({ job })}
        />
        <div class={styles['statuses']} role="group" aria-label="Filter jobs by status">
          {countByStatus(graph.jobs).map(({ status: name, count }) => (
            <button
              key={name}
              type="button"
              class={styles['status']}
              aria-pressed={status === name}
              onClick={() => setSearch({ status: status === name ? undefined : name })}
            >
              <StatusIcon status={name} size={14} />
              {count} {statusLook(name).label}
            </button>
          ))}
        </div>
        {!pane.isOpen && <FollowButton graph={graph} pane={pane} />}
        <div class={styles['view']}>
          {focus === undefined ? (
            <span class={styles['hint']}>Space focuses on a job</span>
          ) : (
            <Button size="small" onClick={() => setFocus(undefined)}>
              Show all jobs
            </Button>
          )}
          <ZoomButtons zoom={zoom} />
        </div>
      </Tools>
      <LogSplit project={project} graph={graph} pane={pane}>
        {readers}
        <GraphView
          linked={linked}
          zoom={zoom}
          columns={columns}
          {...(headings && { headings })}
          relations={relations}
          showsAllEdges={by === 'needs' || graph.jobs.some(({ scheduling_type: type }) => type === 'dag')}
          focus={focus}
          onFocus={setFocus}
          {...{ matches, addressOfJob, actionOf }}
          onOpen={openJob}
          current={pane.current}
        />
      </LogSplit>
    </>
  )
}

/** The button of a job of another project, where the user may have another role. */
function LinkedJobAction({ project, job }: { project: string; job: GraphJob }) {
  const { may, reasonAgainst } = useProjectAbilities(project)
  return (
    <JobAction
      {...{ project, job }}
      pipeline={job.pipeline_id}
      mayRun={may('run_pipelines')}
      reason={reasonAgainst('run_pipelines')}
    />
  )
}

function jobAddress(project: string, { id, kind, downstream, target_url: url }: GraphJob): string {
  if (kind === 'trigger' && downstream) {
    return addressOf('pipelines/pipeline', { project: downstream.project_path, id: String(downstream.id) })
  }
  return kind === 'external' && url !== null ? url : addressOf('jobs/job', { project, id: String(id) })
}

function matcher(text: string, status: string): ((job: GraphJob) => boolean) | undefined {
  if (text === '' && status === '') return undefined
  const wanted = text.toLowerCase()
  return (job) => job.name.toLowerCase().includes(wanted) && (status === '' || shownStatus(job) === status)
}
