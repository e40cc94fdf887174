import { isDeepStrictEqual } from 'node:util'

import { isRecord } from '../../../../../lib/is-record.js'

interface Operation {
  op: string
  path: string
  from?: string
  value?: unknown
}

/**
 * Applies a JSON patch (RFC 6902) whose form was checked (`patchProblem`). Throws an `Error` that names the operation which
 * does not fit. The value is not changed.
 */
export function applyJsonPatch(value: unknown, patch: unknown): unknown {
  let root: unknown = structuredClone(value)
  for (const operation of Array.isArray(patch) ? (patch as Operation[]) : []) {
    try {
      root = applyOperation(root, operation)
    } catch (error) {
      throw new Error(`${operation.op} ${operation.path}: ${error instanceof Error ? error.message : ''}`, {
        cause: error,
      })
    }
  }
  return root
}

function applyOperation(root: unknown, operation: Operation): unknown {
  const path = segmentsOf(operation.path)
  const value = structuredClone(operation.value)
  switch (operation.op) {
    case 'add':
      return add(root, path, value)
    case 'remove':
      return remove(root, path).root
    case 'replace':
      return add(remove(root, path).root, path, value)
    case 'move': {
      const from = segmentsOf(operation.from ?? '')
      if (path.length > from.length && from.every((part, index) => part === path[index])) {
        throw new Error('a value cannot be moved into itself')
      }
      const taken = remove(root, from)
      return add(taken.root, path, taken.value)
    }
    case 'copy':
      return add(root, path, structuredClone(find(root, segmentsOf(operation.from ?? ''))))
    default: // test
      if (!isDeepStrictEqual(find(root, path), value)) throw new Error('the value there is another one')
      return root
  }
}

function segmentsOf(pointer: string): string[] {
  const segments = pointer.split('/').slice(1)
  return segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function find(value: unknown, path: readonly string[]): unknown {
  return path.reduce(childOf, value)
}

function childOf(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return (value as unknown[])[indexIn(value, key, value.length - 1)]
  if (isRecord(value) && Object.hasOwn(value, key)) return value[key]
  throw new Error(`there is no "${key}"`)
}

function add(root: unknown, path: readonly string[], value: unknown): unknown {
  const key = path.at(-1)
  if (key === undefined) return value
  const parent = find(root, path.slice(0, -1))
  if (Array.isArray(parent)) {
    parent.splice(key === '-' ? parent.length : indexIn(parent, key, parent.length), 0, value)
  } else if (isRecord(parent)) {
    // Not an assignment, for which `__proto__` is not an ordinary key.
    Object.defineProperty(parent, key, { value, writable: true, enumerable: true, configurable: true })
  } else {
    throw new Error(`"${key}" cannot be put into a plain value`)
  }
  return root
}

function remove(root: unknown, path: readonly string[]): { root: unknown; value: unknown } {
  const key = path.at(-1)
  if (key === undefined) return { root: undefined, value: root }
  const parent = find(root, path.slice(0, -1))
  const value = childOf(parent, key)
  if (Array.isArray(parent)) parent.splice(Number(key), 1)
  else if (isRecord(parent)) Reflect.deleteProperty(parent, key)
  return { root, value }
}

function indexIn(list: readonly unknown[], key: string, most: number): number {
  const index = /^(0|[1-9]\d{0,8})$/.test(key) ? Number(key) : -1
  if (index < 0 || index > most) throw new Error(`"${key}" is not a place in a list of ${list.length}`)
  return index
}
