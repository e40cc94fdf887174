import { messageOf } from '../../../../../lib/errors.js'
import { isRecord } from '../../../../../lib/is-record.js'
import { ExecutorError } from '../../../executor.js'
import type { PodSpecPatch } from '../../pod-settings.js'
import { applyJsonPatch } from './json-patch.js'
import { mergePatch, strategicMergePatch } from './strategic-merge.js'

/**
 * Applies the patches of the settings to the spec of a pod, in order. Throws an `ExecutorError` with the reason
 * `runner_configuration_error` for a patch that does not fit, or that removes one of the `required` containers.
 */
export function applyPatches(
  spec: object,
  patches: readonly PodSpecPatch[],
  required: readonly string[],
): object {
  // Undefined members are absent in JSON, which patches are about.
  let patched: unknown = JSON.parse(JSON.stringify(spec))
  for (const [index, patch] of patches.entries()) {
    const name = patch.name === '' ? `number ${index + 1}` : `"${patch.name}"`
    try {
      patched = apply(patched, patch)
    } catch (error) {
      throw wrongPatch(name, `cannot be applied: ${messageOf(error)}`, error)
    }
    const missing = missingContainer(patched, required)
    if (missing !== undefined)
      throw wrongPatch(name, `removes the container "${missing}", without which no job runs`)
  }
  return isRecord(patched) ? patched : {}
}

function apply(spec: unknown, { type, patch }: PodSpecPatch): unknown {
  switch (type) {
    case 'json':
      return applyJsonPatch(spec, patch)
    case 'merge':
      return mergePatch(spec, patch)
    case 'strategic':
      return strategicMergePatch(spec, patch)
  }
}

function missingContainer(spec: unknown, required: readonly string[]): string | undefined {
  const containers: unknown = isRecord(spec) ? spec['containers'] : undefined
  const names = Array.isArray(containers)
    ? containers.map((item: unknown) => isRecord(item) && item['name'])
    : []
  return required.find((name) => !names.includes(name))
}

function wrongPatch(name: string, problem: string, cause?: unknown): ExecutorError {
  const message = `The patch ${name} in "pod_spec" of the runner's settings ${problem}`
  return new ExecutorError(message, 'runner_configuration_error', { cause })
}
