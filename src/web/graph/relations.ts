import type { JobGroup } from './job-groups.js'

/** What each group needs and what needs it, by key. Needs that are not in the pipeline are left out. */
export interface Relations {
  before: ReadonlyMap<string, readonly string[]>
  after: ReadonlyMap<string, readonly string[]>
}

/**
 * The relations between groups.
 * @param stages names of the stages, in their order
 * @param withStages whether jobs without `needs` depend on all groups of the stage before theirs that has jobs
 */
export function relationsOf(
  groups: readonly JobGroup[],
  stages: readonly string[],
  withStages: boolean,
): Relations {
  const keyOfJob = new Map(groups.flatMap(({ key, jobs }) => jobs.map(({ name }) => [name, key] as const)))
  const byStage = new Map<string, string[]>()
  for (const { stage, key } of groups) {
    const known = byStage.get(stage)
    if (known) known.push(key)
    else byStage.set(stage, [key])
  }
  const before = new Map<string, string[]>()
  const after = new Map<string, string[]>(groups.map(({ key }) => [key, []]))
  for (const group of groups) {
    const needed = group.waitsForStage
      ? withStages
        ? stageBefore(group.stage, stages, byStage)
        : []
      : group.needs.flatMap((name) => keyOfJob.get(name) ?? keyOfGroup(groups, name))
    const keys = [...new Set(needed)].filter((key) => key !== group.key)
    before.set(group.key, keys)
    for (const key of keys) after.get(key)?.push(group.key)
  }
  return { before, after }
}

/** A group, everything that it needs, and everything that needs it. */
export function relatedTo(key: string, { before, after }: Relations): Set<string> {
  return new Set([...reach(key, before), ...reach(key, after)])
}

function reach(start: string, next: ReadonlyMap<string, readonly string[]>): Set<string> {
  const found = new Set([start])
  for (const key of found) for (const other of next.get(key) ?? []) found.add(other)
  return found
}

function stageBefore(
  stage: string,
  stages: readonly string[],
  byStage: ReadonlyMap<string, string[]>,
): string[] {
  for (let index = stages.indexOf(stage) - 1; index >= 0; index -= 1) {
    const keys = byStage.get(stages[index] ?? '')
    if (keys) return keys
  }
  return []
}

/** `needs` may name all instances of a parallel job by their common name. */
function keyOfGroup(groups: readonly JobGroup[], name: string): string[] {
  return groups.filter((group) => group.name === name).map(({ key }) => key)
}
