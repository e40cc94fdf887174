import type { ExecutorJob } from '../executor.js'
import type { DockerExecutorSettings } from './settings.js'

const PREFIX = 'com.gitlab.gitlab-runner.'

/** What is put on a job's container (runner protocol, 7.10). */
export function jobLabels(job: ExecutorJob, settings: DockerExecutorSettings): Record<string, string> {
  return labelsOfKind(job, settings, { type: 'build' })
}

/** On whatever else is made for a job; `kind` is its `type` and what belongs to that type. */
export function labelsOfKind(
  job: ExecutorJob,
  settings: DockerExecutorSettings,
  kind: { type: string } & Record<string, string>,
): Record<string, string> {
  return prefixed({
    'job.id': String(job.jobId),
    'job.url': job.jobUrl ?? '',
    'job.sha': job.sha,
    'job.ref': job.ref,
    'project.id': String(job.projectId),
    'pipeline.id': String(job.pipelineId ?? ''),
    ...runnerLabels(settings),
    ...kind,
  })
}

/** `key=value` of the labels by which a runner knows its own containers again. */
export function ownLabels(settings: DockerExecutorSettings): string[] {
  return Object.entries(prefixed(runnerLabels(settings))).map(([key, value]) => `${key}=${value}`)
}

/** `key=value` of the labels that all containers and networks of one job share. */
export function labelsToFindJob(job: ExecutorJob, settings: DockerExecutorSettings): string[] {
  return [...ownLabels(settings), `${PREFIX}job.id=${job.jobId}`]
}

function runnerLabels(settings: DockerExecutorSettings): Record<string, string> {
  return {
    'runner.id': settings.runnerShortToken,
    'runner.system_id': settings.systemId,
    managed: 'true',
  }
}

function prefixed(labels: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).map(([key, value]) => [PREFIX + key, value]))
}
