import type { GraphJob } from '../../../coordinator/ci/pipelines/graph/schema.js'

/** What has become of a job from one pipeline to another. */
export type Change = 'broken' | 'mended' | 'new' | 'gone' | 'changed' | 'same'

export interface ComparedJob {
  name: string
  before: GraphJob | undefined
  after: GraphJob | undefined
  change: Change
  /** Seconds that the job ran longer; undefined unless it ran in both. */
  slower: number | undefined
}

const ORDER: readonly Change[] = ['broken', 'new', 'gone', 'changed', 'mended', 'same']

/** The jobs of two pipelines by name: broken ones first, then what else has changed. */
export function compareJobs(before: readonly GraphJob[], after: readonly GraphJob[]): ComparedJob[] {
  const earlier = new Map(before.map((job) => [job.name, job]))
  const later = new Map(after.map((job) => [job.name, job]))
  const names = [...new Set([...later.keys(), ...earlier.keys()])]
  return names
    .map((name) => {
      const [one, other] = [earlier.get(name), later.get(name)]
      const [earlierTime, laterTime] = [one?.duration ?? undefined, other?.duration ?? undefined]
      return {
        name,
        before: one,
        after: other,
        change: changeOf(one, other),
        slower: earlierTime === undefined || laterTime === undefined ? undefined : laterTime - earlierTime,
      }
    })
    .toSorted((a, b) => ORDER.indexOf(a.change) - ORDER.indexOf(b.change))
}

function changeOf(before: GraphJob | undefined, after: GraphJob | undefined): Change {
  if (!before) return 'new'
  if (!after) return 'gone'
  if (before.status === after.status) return 'same'
  if (after.status === 'failed') return 'broken'
  if (before.status === 'failed' && after.status === 'success') return 'mended'
  return 'changed'
}
