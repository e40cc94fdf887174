import type { ExecutorJob } from '../../executor.js'
import type { DockerExecutorSettings } from '../settings.js'

const PREFIX = 'com.gitlab.gitlab-runner.'
const WORKSPACE = 'workspace'

/**
 * The labels of a job's container (runner protocol, 7.10): those of the settings, overridden by the runner's own.
 */
export function jobLabels(job: ExecutorJob, settings: DockerExecutorSettings): Record<string, string> {
  return { ...configuredLabels(job, settings), ...labelsOfKind(job, settings, { type: 'build' }) }
}

/** The labels of other objects that are created for a job. `kind` is the `type` and the labels specific to it. */
export function labelsOfKind(
  job: ExecutorJob,
  settings: DockerExecutorSettings,
  kind: { type: string } & Record<string, string>,
): Record<string, string> {
  return prefixed({ ...labelsOfJob(job, settings), ...kind })
}

/** The labels of a service container: those of the settings unchanged and with the runner's prefix. */
export function serviceLabels(
  job: ExecutorJob,
  settings: DockerExecutorSettings,
  { service, version }: { service: string; version: string },
): Record<string, string> {
  const configured = configuredLabels(job, settings)
  const kind = { type: 'service', service, 'service.version': version }
  return { ...configured, ...prefixed(configured), ...labelsOfKind(job, settings, kind) }
}

/** The labels that all containers and networks of one job share, as `key=value`. */
export function labelsToFindJob(job: ExecutorJob, settings: DockerExecutorSettings): string[] {
  return [...ownLabels(settings), `${PREFIX}job.id=${job.jobId}`]
}

/** The labels of a volume that belongs to a job or to one of its concurrency slots. */
export function cacheVolumeLabels(
  job: ExecutorJob,
  settings: DockerExecutorSettings,
  destination: string,
  isReusable: boolean,
): Record<string, string> {
  return prefixed({
    'project.id': String(job.projectId),
    ...runnerLabels(settings),
    type: 'cache',
    destination,
    protected: String(job.isProtected ?? false),
    reusable: String(isReusable),
  })
}

/** The labels of the volume with the files of one job. */
export function workspaceVolumeLabels(
  job: ExecutorJob,
  settings: DockerExecutorSettings,
): Record<string, string> {
  return prefixed({ ...labelsOfJob(job, settings), type: WORKSPACE })
}

/** The labels by which a runner finds the volumes of its jobs again, as `key=value`. */
export function ownWorkspaceLabels(settings: DockerExecutorSettings): string[] {
  return [...ownLabels(settings), `${PREFIX}type=${WORKSPACE}`]
}

/** The labels of a container that is created to inspect an image. */
export function lookupLabels(settings: DockerExecutorSettings): Record<string, string> {
  return prefixed({ ...runnerLabels(settings), type: 'lookup' })
}

/** The labels by which a runner finds its own containers again, as `key=value`. */
export function ownLabels(settings: DockerExecutorSettings): string[] {
  return Object.entries(prefixed(runnerLabels(settings))).map(([key, value]) => `${key}=${value}`)
}

/** The ID of the job that a container belongs to. 0 if there is none. */
export function jobIdIn(labels: Record<string, string>): number {
  return Number(labels[`${PREFIX}job.id`] ?? 0)
}

function configuredLabels(
  job: ExecutorJob,
  { containerLabels }: DockerExecutorSettings,
): Record<string, string> {
  const entries = Object.entries(containerLabels ?? {})
  return Object.fromEntries(entries.map(([key, value]) => [key, job.expand?.(value) ?? value]))
}

function labelsOfJob(job: ExecutorJob, settings: DockerExecutorSettings): Record<string, string> {
  return {
    'job.id': String(job.jobId),
    'job.url': job.jobUrl ?? '',
    'job.sha': job.sha,
    'job.before_sha': job.beforeSha ?? '',
    'job.ref': job.ref,
    'job.timeout': job.timeoutSeconds === undefined ? '' : `${job.timeoutSeconds}s`,
    'project.id': String(job.projectId),
    'project.runner_id': String(job.concurrentProjectId),
    'pipeline.id': String(job.pipelineId ?? ''),
    'runner.local_id': String(job.concurrentId ?? ''),
    ...runnerLabels(settings),
  }
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
