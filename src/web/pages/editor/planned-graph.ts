import type { LintedJob } from '../../../coordinator/ci/lint/schema.js'
import type { GraphJob } from '../../../coordinator/ci/pipelines/graph/schema.js'

const STATUS_BY_WHEN: Record<string, GraphJob['status']> = { manual: 'manual', delayed: 'scheduled' }
const INSTANCE = /^(.*?)(?::? \[.*\]| (\d+)\/(\d+))$/

/** The jobs that a pipeline would have, as jobs of a graph before anything has run. */
export function plannedGraph(jobs: readonly LintedJob[]): GraphJob[] {
  const counts = new Map<string, number>()
  const bases = jobs.map(({ name }) => INSTANCE.exec(name)?.[1])
  for (const base of bases) if (base !== undefined) counts.set(base, (counts.get(base) ?? 0) + 1)
  const seen = new Map<string, number>()
  return jobs.map((job, position) => {
    const base = bases[position]
    const total = base === undefined ? 0 : (counts.get(base) ?? 0)
    const group = total > 1 ? (base ?? null) : null
    const index = group === null ? null : (seen.get(group) ?? 0) + 1
    if (group !== null && index !== null) seen.set(group, index)
    return { ...NOT_STARTED, ...planned(job, position), group, index, total: group === null ? null : total }
  })
}

function planned(job: LintedJob, position: number) {
  return {
    id: position + 1,
    name: job.name,
    stage: job.stage,
    status: STATUS_BY_WHEN[job.when] ?? 'created',
    when: job.when as GraphJob['when'],
    allow_failure: job.allow_failure,
    scheduling_type: job.needs === null ? ('stage' as const) : ('dag' as const),
    needs: job.needs?.map(({ name }) => name) ?? [],
    environment: job.environment,
    tags: job.tag_list,
  }
}

const NOT_STARTED = {
  pipeline_id: 0,
  kind: 'job' as const,
  created_at: '',
  queued_at: null,
  started_at: null,
  finished_at: null,
  duration: null,
  queued_duration: null,
  scheduled_at: null,
  failure_reason: null,
  waiting: null,
  runner: null,
  attempts: 1,
  artifacts: null,
  coverage: null,
  downstream: null,
  actions: [],
  manual_confirmation: null,
  target_url: null,
}
