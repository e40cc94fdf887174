import { useCallback, useMemo, useState } from 'preact/hooks'

import { addressOf } from '../../../addresses/address-of.js'
import type { GraphJob } from '../../../coordinator/ci/pipelines/graph/schema.js'
import { useSearch } from '../../frame/location.js'
import { useProjectAbilities } from '../../frame/use-abilities.js'
import { GraphView } from '../../graph/graph-view.js'
import { countByStatus, groupJobs } from '../../graph/job-groups.js'
import { needColumns, stageColumns } from '../../graph/layers.js'
import { relationsOf } from '../../graph/relations.js'
import { Button } from '../../kit/button.js'
import { SearchField } from '../../kit/search-field.js'
import { shownStatus, StatusIcon, statusLook } from '../../kit/status.js'
import { FollowButton } from './follow-button.js'
import styles from './graph-tab.module.css'
import { JobAction } from './job-action.js'
import { LogSplit } from './log-split.js'
import type { ShownPipeline } from './pipeline-layout.js'
import { useLogPane } from './use-log-pane.js'

/** The jobs of a pipeline by stages, or by what they need. */
export function GraphTab({ project, pipeline, graph, by }: ShownPipeline & { by: 'stages' | 'needs' }) {
  const [search, setSearch] = useSearch()
  const [focus, setFocus] = useState<string>()
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
  const addressOfJob = useCallback((job: GraphJob) => jobAddress(project, job), [project])
  const { may, reasonAgainst } = useProjectAbilities(project)
  const [mayRun, reason] = [may('run_pipelines'), reasonAgainst('run_pipelines')]
  const actionOf = useCallback(
    (job: GraphJob) => <JobAction {...{ project, job, mayRun, reason }} pipeline={pipeline.id} />,
    [project, pipeline.id, mayRun, reason],
  )
  return (
    <>
      <div class={styles['tools']}>
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
        {focus === undefined ? (
          <span class={styles['hint']}>Space on a job shows what it depends on</span>
        ) : (
          <Button size="small" onClick={() => setFocus(undefined)}>
            Show all jobs
          </Button>
        )}
      </div>
      <LogSplit project={project} graph={graph} pane={pane}>
        <GraphView
          columns={columns}
          {...(headings && { headings })}
          relations={relations}
          showsAllEdges={by === 'needs' || graph.jobs.some(({ scheduling_type: type }) => type === 'dag')}
          focus={focus}
          onFocus={setFocus}
          {...{ matches, addressOfJob, actionOf }}
          onOpen={pane.onOpen}
          current={pane.current}
        />
      </LogSplit>
    </>
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
