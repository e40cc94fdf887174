import type { Plan, PlannedJob } from '../../../ci-config/plan.js'
import { formatDuration } from '../../../lib/duration.js'
import { isLeftOut } from './left-out.js'

/** Lists the jobs of a plan by stage, with their `when` and their needs. */
export function listJobs({ stages, jobs }: Pick<Plan, 'stages' | 'jobs'>): string[] {
  const width = Math.max(0, ...jobs.map(({ name }) => name.length))
  return stages.flatMap((stage) => {
    const inStage = jobs.filter((job) => job.stage === stage)
    const lines = inStage.map((job) => `  ${job.name.padEnd(width)}  ${about(job)}`)
    return lines.length === 0 ? [] : [stage, ...lines]
  })
}

function about(job: PlannedJob): string {
  const { when, startIn, allowFailure, schedulingType, needs, environment, resourceGroup } = job
  const needed = needs.map(({ name, optional }) => (optional ? `${name} (optional)` : name)).join(', ')
  return [
    isLeftOut(job) ? 'does not run locally: it is for the pipeline of another project' : when,
    ...(job.trigger?.kind === 'child' ? ['starts a child pipeline'] : []),
    ...(startIn === undefined ? [] : [`after ${formatDuration(startIn)}, here at once`]),
    ...(allowFailure && when !== 'manual' ? ['may fail'] : []),
    ...(schedulingType === 'dag' ? [`needs ${needed || 'nothing'}`] : []),
    ...(environment ? [`environment ${environment.name}`] : []),
    ...(resourceGroup === undefined ? [] : [`resource ${resourceGroup}`]),
  ].join('; ')
}
