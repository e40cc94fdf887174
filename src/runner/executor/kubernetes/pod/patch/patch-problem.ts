import { isRecord } from '../../../../../lib/is-record.js'
import type { PatchType } from '../../pod-settings.js'

const OPERATIONS = ['add', 'remove', 'replace', 'move', 'copy', 'test']

/** What is wrong with the form of a patch. Undefined if nothing is. Whether it fits a pod shows when it is applied. */
export function patchProblem(type: PatchType, patch: unknown): string | undefined {
  if (type === 'json') return operationsProblem(patch)
  return isRecord(patch) ? undefined : `must be an object with keys of a pod's spec (patch_type is "${type}")`
}

function operationsProblem(patch: unknown): string | undefined {
  if (!Array.isArray(patch)) return 'must be a list of operations (patch_type is "json")'
  for (const [index, operation] of patch.entries()) {
    const problem = operationProblem(operation)
    if (problem !== undefined) return `has a wrong operation ${index + 1}: ${problem}`
  }
  return undefined
}

function operationProblem(operation: unknown): string | undefined {
  if (!isRecord(operation)) return 'it is not an object'
  const { op, path, from } = operation
  if (typeof op !== 'string' || !OPERATIONS.includes(op))
    return `"op" must be one of ${OPERATIONS.join(', ')}`
  if (!isPointer(path)) return '"path" must be a text that begins with "/"'
  if ((op === 'move' || op === 'copy') && !isPointer(from))
    return '"from" must be a text that begins with "/"'
  if (['add', 'replace', 'test'].includes(op) && !('value' in operation)) return '"value" is missing'
  return undefined
}

function isPointer(value: unknown): boolean {
  return typeof value === 'string' && (value === '' || value.startsWith('/'))
}
