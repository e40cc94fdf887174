import type { JobGroup } from './job-groups.js'
import type { Relations } from './relations.js'

const SWEEPS = 4

/** Groups in columns: in the order of the stages, each column in the order of the pipeline. */
export function stageColumns(groups: readonly JobGroup[], stages: readonly string[]): JobGroup[][] {
  return stages
    .map((stage) => groups.filter((group) => group.stage === stage))
    .filter((column) => column.length > 0)
}

/**
 * Groups in columns by their longest chain of needs. Within a column they are ordered so that few lines cross: each is
 * moved to the mean position of what it needs, then of what needs it, a few times in turn.
 */
export function needColumns(groups: readonly JobGroup[], { before, after }: Relations): JobGroup[][] {
  const depths = depthsOf(groups, before)
  const columns: JobGroup[][] = []
  for (const group of groups) (columns[depths.get(group.key) ?? 0] ??= []).push(group)
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const forward = sweep % 2 === 0
    const order = forward ? columns.keys() : [...columns.keys()].reverse()
    for (const index of order) {
      const neighbors = columns[forward ? index - 1 : index + 1]
      const column = columns[index]
      if (neighbors && column)
        columns[index] = sortByMeanPosition(column, positionsByKey(neighbors), forward ? before : after)
    }
  }
  return columns
}

function depthsOf(groups: readonly JobGroup[], before: Relations['before']): Map<string, number> {
  const depths = new Map<string, number>()
  const depthOf = (key: string): number => {
    const known = depths.get(key)
    if (known !== undefined) return known
    // A circle cannot occur in a pipeline; should one be sent, it ends here.
    depths.set(key, 0)
    const depth = Math.max(-1, ...(before.get(key) ?? []).map(depthOf)) + 1
    depths.set(key, depth)
    return depth
  }
  for (const { key } of groups) depthOf(key)
  return depths
}

function positionsByKey(column: readonly JobGroup[]): Map<string, number> {
  return new Map(column.map(({ key }, index) => [key, index]))
}

function sortByMeanPosition(
  column: readonly JobGroup[],
  positions: ReadonlyMap<string, number>,
  related: Relations['before'],
): JobGroup[] {
  const means = new Map(
    column.map(({ key }, index) => {
      const known = (related.get(key) ?? []).flatMap((other) => positions.get(other) ?? [])
      return [
        key,
        known.length === 0 ? index : known.reduce((sum, position) => sum + position, 0) / known.length,
      ]
    }),
  )
  return column.toSorted((a, b) => (means.get(a.key) ?? 0) - (means.get(b.key) ?? 0))
}
