import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import type * as Yaml from 'yaml'

import { messageOf } from '../../../lib/errors.js'
import { PATCH_TYPES, type PodSpecPatch } from '../../executor/kubernetes/pod-settings.js'
import { patchProblem } from '../../executor/kubernetes/pod/patch/patch-problem.js'
import type { TableReader } from '../table-reader.js'

/** Reads the `[[runners.kubernetes.pod_spec]]` tables. Files of patches are read now, not for each job. */
export function readPodSpec(entry: TableReader): PodSpecPatch[] {
  return entry.subTables('pod_spec').flatMap((reader) => {
    const name = reader.string('name') ?? ''
    const type = reader.choiceOrEmpty('patch_type', PATCH_TYPES) ?? 'strategic'
    const text = readPatchText(reader)
    reader.reportUnknown()
    if (text === undefined) return []
    const patch = parsePatch(reader, text)
    const problem = patch === undefined ? undefined : patchProblem(type, patch)
    if (problem !== undefined) reader.problem(text.key, problem)
    return patch === undefined || problem !== undefined ? [] : [{ name, type, patch }]
  })
}

interface PatchText {
  /** The key that it is from. */
  key: 'patch' | 'patch_path'
  text: string
}

function readPatchText(reader: TableReader): PatchText | undefined {
  const [patch, path] = [reader.string('patch'), reader.string('patch_path')]
  if (patch && path) reader.problem('patch', 'and patch_path exclude each other: remove one of them')
  if (!patch && !path) reader.problem('patch', 'is missing: the patch, or a file with it in patch_path')
  if (patch && !path) return { key: 'patch', text: patch }
  if (!path || patch) return undefined
  try {
    return { key: 'patch_path', text: readFileSync(path, 'utf8') }
  } catch (error) {
    reader.problem('patch_path', `cannot be read: ${messageOf(error)}`)
    return undefined
  }
}

/** JSON is YAML too. */
function parsePatch(reader: TableReader, { key, text }: PatchText): unknown {
  // Loaded on demand, because most runners have no patches.
  const { parse } = createRequire(import.meta.url)('yaml') as typeof Yaml
  try {
    return parse(text) as unknown
  } catch (error) {
    reader.problem(key, `is neither YAML nor JSON: ${messageOf(error)}`)
    return undefined
  }
}
