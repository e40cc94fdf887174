import { isDeepStrictEqual } from 'node:util'

import { isRecord } from '../../../../../lib/is-record.js'

/**
 * The lists in the spec of a pod whose items are merged by a key, and the key. Other lists are replaced as a whole. From
 * the description of the API (`x-kubernetes-patch-merge-key`).
 */
const MERGE_KEYS: Record<string, string> = {
  containers: 'name',
  initContainers: 'name',
  ephemeralContainers: 'name',
  volumes: 'name',
  volumeMounts: 'mountPath',
  volumeDevices: 'devicePath',
  env: 'name',
  ports: 'containerPort',
  hostAliases: 'ip',
  imagePullSecrets: 'name',
  resourceClaims: 'name',
  schedulingGates: 'name',
  topologySpreadConstraints: 'topologyKey',
}

const DIRECTIVE = '$patch'
const RETAIN_KEYS = '$retainKeys'

/** Applies a JSON merge patch (RFC 7396). The values are not changed. */
export function mergePatch(value: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return structuredClone(patch)
  const merged = new Map<string, unknown>(isRecord(value) ? Object.entries(value) : [])
  for (const [key, change] of Object.entries(patch)) {
    if (change === null) merged.delete(key)
    else merged.set(key, mergePatch(merged.get(key), change))
  }
  return Object.fromEntries(merged)
}

/**
 * Applies a strategic merge patch, as the API server does for a pod: like a merge patch, but containers, volumes and other
 * lists are merged item by item. Understands the directives `$patch: replace`, `$patch: delete` and `$retainKeys`. Throws an
 * `Error` for others, and for an item without its key. The values are not changed.
 */
export function strategicMergePatch(value: unknown, patch: unknown): unknown {
  return isRecord(patch) ? mergeObject(isRecord(value) ? value : {}, patch) : structuredClone(patch)
}

function mergeObject(
  value: Record<string, unknown>,
  patch: Record<string, unknown>,
): Record<string, unknown> {
  const { [DIRECTIVE]: directive, [RETAIN_KEYS]: retained, ...changes } = patch
  if (directive === 'delete') return {}
  if (directive !== undefined && directive !== 'replace' && directive !== 'merge')
    throw unknownDirective(directive)
  const merged = new Map(directive === 'replace' ? [] : Object.entries(value))
  if (Array.isArray(retained)) keepOnly(merged, retained)
  for (const [key, change] of Object.entries(changes)) {
    if (key.startsWith('$')) throw unknownDirective(key)
    if (change === null) merged.delete(key)
    else merged.set(key, mergeMember(key, merged.get(key), change))
  }
  return Object.fromEntries(merged)
}

function mergeMember(key: string, value: unknown, change: unknown): unknown {
  if (!Array.isArray(change)) return strategicMergePatch(value, change)
  const mergeKey = MERGE_KEYS[key]
  const items: unknown[] = Array.isArray(value) ? value : []
  return mergeKey === undefined ? structuredClone(change) : mergeItems(key, mergeKey, items, change)
}

function mergeItems(list: string, mergeKey: string, items: unknown[], changes: unknown[]): unknown[] {
  const replaced = changes.some((change) => isDeepStrictEqual(change, { [DIRECTIVE]: 'replace' }))
  const merged = replaced ? [] : [...items]
  for (const change of changes) {
    if (!isRecord(change)) throw new Error(`an item of "${list}" is not an object`)
    const { [mergeKey]: key, [DIRECTIVE]: directive } = change
    if (key === undefined) {
      if (isDeepStrictEqual(change, { [DIRECTIVE]: 'replace' })) continue
      throw new Error(`an item of "${list}" has no "${mergeKey}"`)
    }
    const index = merged.findIndex((item) => isRecord(item) && isDeepStrictEqual(item[mergeKey], key))
    if (directive === 'delete') {
      if (index >= 0) merged.splice(index, 1)
    } else {
      const before = merged[index]
      merged.splice(index < 0 ? merged.length : index, 1, mergeObject(isRecord(before) ? before : {}, change))
    }
  }
  return merged
}

function keepOnly(members: Map<string, unknown>, keys: readonly unknown[]): void {
  for (const key of members.keys()) if (!keys.includes(key)) members.delete(key)
}

function unknownDirective(directive: unknown): Error {
  return new Error(
    `the directive ${JSON.stringify(directive)} is not known: use "$patch" with replace or delete, or "$retainKeys"`,
  )
}
