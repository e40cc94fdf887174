import type { RunnerEntry } from '../config/settings.js'

/**
 * How many cores the runner may use to compress what a job leaves: as many as the job's own container may, and at least
 * one. A part of a core is not used. Undefined: there is no limit.
 */
export function coresOfJob({
  cpus,
  cpusetCpus,
}: Pick<RunnerEntry['docker'], 'cpus' | 'cpusetCpus'>): number | undefined {
  const limits = [cpus ? Math.floor(cpus) : Infinity, cpusetCpus ? sizeOfSet(cpusetCpus) : Infinity]
  const cores = Math.max(1, Math.min(...limits))
  return cores === Infinity ? undefined : cores
}

/** Of a set such as `0-2,4`; ranges may overlap. */
function sizeOfSet(text: string): number {
  const ranges = text.split(',').map((range) => {
    const [first = 0, last = first] = range.split('-').map(Number)
    return { first, last }
  })
  let size = 0
  let next = 0
  for (const { first, last } of ranges.sort((a, b) => a.first - b.first)) {
    size += Math.max(0, last - Math.max(first, next) + 1)
    next = Math.max(next, last + 1)
  }
  return size
}
