import { createHash } from 'node:crypto'

import type { JobLog } from '../../../trace/job-log.js'
import { ExecutorError, type ExecutorJob } from '../../executor.js'
import type { KubernetesExecutorSettings } from '../settings.js'

type Identity = Pick<KubernetesExecutorSettings, 'runnerShortToken' | 'systemId'>

/** Prefixes of labels that only the runner sets. */
const RESERVED = /^(?:[^/]*\.)?runner\.(?:gitlab\.com|switchyard)\//
const REFERENCE = 'runner.gitlab.com'
const MANAGER = 'runner.switchyard/manager'
const SYSTEM_ID = 'runner.switchyard/system-id'
const JOB_ID = 'runner.switchyard/job-id'

const MAX_VALUE = 63
const KEY = /^(?:[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?\/)?[A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?$/

/** The labels of the pods of one runner on one machine, and of their secrets, as a selector. */
export function ownSelector(settings: Identity): string {
  return `${MANAGER}=${managerOf(settings)}`
}

/** The ID of the job that a pod or a secret of this runner belongs to. 0 if it says none. */
export function jobIdIn(labels: Record<string, string> | undefined): number {
  return Number(labels?.[JOB_ID] ?? 0)
}

/** The labels by which the runner finds its objects. */
function ownLabels(job: ExecutorJob, settings: Identity): Record<string, string> {
  return {
    [MANAGER]: managerOf(settings),
    // For people: a label cannot have every ID.
    [SYSTEM_ID]: labelValue(settings.systemId),
    [JOB_ID]: String(job.jobId),
  }
}

/** A digest, because the parts may have characters that labels cannot have. */
function managerOf({ runnerShortToken, systemId }: Identity): string {
  return createHash('sha256').update(`${runnerShortToken} ${systemId}`).digest('hex').slice(0, 32)
}

/**
 * The labels of a pod: those of the reference runner, those of the settings and the job (`chosen`), and those by which this
 * runner finds it. Labels with a prefix of the runners cannot be chosen. Throws an `ExecutorError` for a key that is no label.
 */
export function podLabels(
  job: ExecutorJob,
  settings: KubernetesExecutorSettings,
  name: string,
  chosen: Record<string, string>,
  log: Pick<JobLog, 'warning'>,
): Record<string, string> {
  const labels = { ...referenceLabels(job, settings, name) }
  for (const [key, value] of Object.entries(chosen)) {
    if (RESERVED.test(key)) {
      log.warning(`The pod label "${key}" is not set: only the runner sets labels with this prefix`)
      continue
    }
    if (!KEY.test(key)) {
      throw new ExecutorError(
        `"${key}" cannot be a pod label: a label has up to 63 letters, digits and the characters - _ . after an optional prefix`,
        'runner_configuration_error',
      )
    }
    labels[key] = labelValue(job.expand?.(value) ?? value)
  }
  return { ...labels, ...ownLabels(job, settings) }
}

function referenceLabels(
  job: ExecutorJob,
  settings: KubernetesExecutorSettings,
  name: string,
): Record<string, string> {
  const variable = (key: string) => labelValue(job.values?.get(key) ?? '')
  return {
    pod: labelValue(name),
    [`job.${REFERENCE}/pod`]: labelValue(name),
    [`project.${REFERENCE}/id`]: String(job.projectId),
    [`project.${REFERENCE}/name`]: variable('CI_PROJECT_NAME'),
    [`project.${REFERENCE}/namespace`]: variable('CI_PROJECT_NAMESPACE'),
    [`project.${REFERENCE}/namespace-id`]: variable('CI_PROJECT_NAMESPACE_ID'),
    [`project.${REFERENCE}/root-namespace`]: variable('CI_PROJECT_ROOT_NAMESPACE'),
    [`manager.${REFERENCE}/name`]: labelValue(settings.runnerName ?? ''),
    [`manager.${REFERENCE}/id-short`]: labelValue(settings.runnerShortToken),
  }
}

/** The annotations of a pod: those of the reference runner, and `chosen` by the settings and the job. */
export function podAnnotations(job: ExecutorJob, chosen: Record<string, string>): Record<string, string> {
  const annotations: Record<string, string> = {
    [`job.${REFERENCE}/id`]: String(job.jobId),
    [`job.${REFERENCE}/url`]: job.jobUrl ?? '',
    [`job.${REFERENCE}/sha`]: job.sha,
    [`job.${REFERENCE}/before_sha`]: job.beforeSha ?? '',
    [`job.${REFERENCE}/ref`]: job.ref,
    [`job.${REFERENCE}/name`]: job.values?.get('CI_JOB_NAME') ?? '',
    [`job.${REFERENCE}/timeout`]: job.timeoutSeconds === undefined ? '' : `${job.timeoutSeconds}s`,
    [`project.${REFERENCE}/id`]: String(job.projectId),
  }
  for (const [key, value] of Object.entries(chosen)) {
    if (!KEY.test(key)) {
      throw new ExecutorError(
        `"${key}" cannot be a pod annotation: its name has up to 63 letters, digits and the characters - _ . after an optional prefix`,
        'runner_configuration_error',
      )
    }
    annotations[key] = job.expand?.(value) ?? value
  }
  return annotations
}

/** Replaces the characters that the value of a label cannot have, and cuts it. */
function labelValue(text: string): string {
  const plain = (value: string) => value.replace(/^[-_.]+|[-_.]+$/g, '')
  return plain(plain(text.replace(/[^A-Za-z0-9_.-]/g, '_')).slice(0, MAX_VALUE))
}
