import type { Reader } from './reader.js'
import { flatStringsOf, wrongFlatItem } from './simple-values.js'

const FIRST = '.pre'
const LAST = '.post'

export const DEFAULT_STAGES: readonly string[] = [FIRST, 'build', 'test', 'deploy', LAST]

/** Stages that alone do not make a pipeline (CI language, 2.1). */
export const EDGE_STAGES: ReadonlySet<string> = new Set([FIRST, LAST])

/** The order of stages; `.pre` and `.post` are always the first and last (CI language, 2.1). */
export const readStages: Reader<readonly string[]> = (value, location) => {
  const names = flatStringsOf(value)
  if (!names) {
    return location.refuse(
      'should be an array of strings or a nested array of strings up to 10 levels deep',
      ...wrongFlatItem(value),
    )
  }
  return [...new Set([FIRST, ...names.filter((name) => !EDGE_STAGES.has(name)), LAST])]
}
