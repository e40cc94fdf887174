import { RE2JS } from 're2js'

import type { JobLog } from '../../../trace/job-log.js'
import { ExecutorError, type ExecutorJob } from '../../executor.js'
import type { KubernetesExecutorSettings } from '../settings.js'

/** What a job changes with its variables, as far as the settings allow it. */
export interface Overwritten {
  namespace: string | undefined
  serviceAccount: string | undefined
  podLabels: Record<string, string>
  podAnnotations: Record<string, string>
  nodeSelector: Record<string, string>
  /** Effects by `key` or `key=value`. */
  nodeTolerations: Record<string, string>
}

type Log = Pick<JobLog, 'plain' | 'warning'>
type Values = ReadonlyMap<string, string>

/**
 * The settings that a job may overwrite, with its values. A variable without effect causes a warning. Throws an
 * `ExecutorError` for a value that the settings do not allow.
 */
export function overwrite(job: ExecutorJob, settings: KubernetesExecutorSettings, log: Log): Overwritten {
  const values = job.values ?? new Map<string, string>()
  const text = (key: 'namespace' | 'service_account', value?: string, pattern?: string) =>
    overwriteText({ key, variable: `KUBERNETES_${key.toUpperCase()}_OVERWRITE`, value, pattern }, values, log)
  const map = (key: string, value: Record<string, string> = {}, pattern?: string, split = splitPair) =>
    overwriteMap({ key, variable: `KUBERNETES_${key.toUpperCase()}_`, value, pattern }, split, values, log)
  return {
    namespace: text('namespace', settings.namespace, settings.namespaceOverwriteAllowed),
    serviceAccount: text('service_account', settings.serviceAccount, settings.serviceAccountOverwriteAllowed),
    podLabels: map('pod_labels', settings.podLabels, settings.podLabelsOverwriteAllowed),
    podAnnotations: map('pod_annotations', settings.podAnnotations, settings.podAnnotationsOverwriteAllowed),
    nodeSelector: map('node_selector', settings.nodeSelector, settings.nodeSelectorOverwriteAllowed),
    nodeTolerations: map(
      'node_tolerations',
      settings.nodeTolerations,
      settings.nodeTolerationsOverwriteAllowed,
      splitToleration,
    ),
  }
}

interface Rule<Value> {
  key: string
  /** Name of the variable, or what its names begin with. */
  variable: string
  value: Value
  pattern: string | undefined
}

function overwriteText(
  { key, variable, value, pattern }: Rule<string | undefined>,
  values: Values,
  log: Log,
): string | undefined {
  const wanted = values.get(variable) ?? ''
  if (wanted === '' || !isOverwritable(key, pattern, [variable], log)) return value
  requireMatch(variable, wanted, key, pattern)
  log.plain(`Using ${key} "${wanted}" from ${variable}`)
  return wanted
}

function overwriteMap(
  { key, variable, value, pattern }: Rule<Record<string, string>>,
  split: (text: string) => [string, string] | undefined,
  values: Values,
  log: Log,
): Record<string, string> {
  const given = [...values].filter(([name, text]) => name.startsWith(variable) && text !== '')
  const names = given.map(([name]) => name)
  if (given.length === 0 || !isOverwritable(key, pattern, names, log)) return value
  const merged = new Map(Object.entries(value))
  for (const [name, text] of given) {
    requireMatch(name, text, key, pattern)
    const pair = split(text)
    if (!pair) throw refusal(`${name} is "${text}", but must have the form key=value`)
    log.plain(`Using ${key} "${text}" from ${name}`)
    merged.set(...pair)
  }
  return Object.fromEntries(merged)
}

function isOverwritable(
  key: string,
  pattern: string | undefined,
  names: string[],
  log: Log,
): pattern is string {
  if (pattern !== undefined) return true
  log.warning(
    `${names.join(', ')}: no effect, because ${key}_overwrite_allowed is not set in the settings of this runner`,
  )
  return false
}

/** Like the reference runner, a match of a part is enough. */
function requireMatch(variable: string, value: string, key: string, pattern: string): void {
  if (RE2JS.compile(pattern).matcher(value).find()) return
  throw refusal(
    `The runner does not allow "${value}" in ${variable}: it does not match ${key}_overwrite_allowed, "${pattern}"`,
  )
}

function splitPair(text: string): [string, string] | undefined {
  const at = text.indexOf('=')
  return at < 0 ? undefined : [text.slice(0, at), text.slice(at + 1)]
}

/** `key=value:effect`, of which only the key is needed. */
function splitToleration(text: string): [string, string] {
  const at = text.indexOf(':')
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

export function refusal(message: string): ExecutorError {
  return new ExecutorError(message, 'runner_configuration_error')
}
