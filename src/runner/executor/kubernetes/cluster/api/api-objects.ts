import type { V1Pod, V1Secret } from '@kubernetes/client-node'

import { isRecord } from '../../../../../lib/is-record.js'
import type { PodEvent } from '../cluster.js'

/** Fields that the types of Kubernetes declare as times. */
const TIMES = new Set([
  'creationTimestamp',
  'deletionTimestamp',
  'lastProbeTime',
  'lastTransitionTime',
  'startTime',
  'startedAt',
  'finishedAt',
])
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/

/** Reads JSON of the API server, with its times as `Date`. Throws a `SyntaxError`. */
export function readJson(text: string): unknown {
  return JSON.parse(text, (key, value: unknown) => {
    // A list of who changed which field, which nothing here needs, and which is longer than the rest of a pod.
    if (key === 'managedFields') return undefined
    return typeof value === 'string' && TIMES.has(key) && TIME.test(value) ? new Date(value) : value
  })
}

export interface ObjectList<T> {
  items: T[]
  /** Position in the history of the cluster from which a watch must continue. That of the first page for all pages of a list. */
  resourceVersion: string
  /** Token of the next page. Undefined if there is none. */
  next: string | undefined
}

/** Whether a value is an object of the API with a name: the API server is trusted with the rest of its shape. */
function isNamed(value: unknown): value is { metadata: Record<string, unknown> } {
  return isRecord(value) && isRecord(value['metadata']) && typeof value['metadata']['name'] === 'string'
}

export function isPod(value: unknown): value is V1Pod {
  return isNamed(value) && 'spec' in value
}

export function isSecret(value: unknown): value is V1Secret {
  return isNamed(value)
}

export function isPodEvent(value: unknown): value is PodEvent {
  return isNamed(value) && 'involvedObject' in value && isRecord(value.involvedObject)
}

/** Undefined if it is no list of such objects. */
export function readList<T>(value: unknown, isItem: (item: unknown) => item is T): ObjectList<T> | undefined {
  if (!isRecord(value) || !isRecord(value['metadata'])) return undefined
  const items: unknown = value['items'] ?? []
  const { resourceVersion, continue: next } = value['metadata']
  if (!Array.isArray(items) || !items.every(isItem) || typeof resourceVersion !== 'string') return undefined
  return { items, resourceVersion, next: typeof next === 'string' && next !== '' ? next : undefined }
}
