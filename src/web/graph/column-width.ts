import type { JobGroup } from './job-groups.js'
import { instanceName } from './job-names.js'

/** What of a box decides about its width; a box that is not placed yet fits. */
interface NamedBox {
  kind: string
  depth: number
  group: JobGroup | undefined
  job: JobGroup['jobs'][number] | undefined
  /** The pipeline that opens below the box. */
  opens: object | undefined
}

const LEAST = 232
const MOST = 420
/** Pixels of a character of a name, on average. */
const CHARACTER = 8.1
/** Beside the name: padding, icon, time and button. */
const BESIDE_JOB = 152
const BESIDE_GROUP = 78
/** Of the number of jobs with one status. */
const COUNT = 34
/** Of the button that opens a pipeline in place. */
const SWITCH = 30
/** What is inside of another box is moved. */
const DEPTH = 14

/** The width of a column with these boxes, in pixels: room for their names, within bounds. */
export function columnWidth(boxes: readonly NamedBox[]): number {
  const widths = boxes.map(widthOf)
  return Math.round(Math.min(MOST, Math.max(LEAST, ...widths)))
}

function widthOf({ kind, group, job, opens, depth }: NamedBox): number {
  const inside = depth * DEPTH
  if (job) {
    const name = kind === 'job' && job.index !== null ? instanceName(job, group?.jobs ?? []) : job.name
    return inside + BESIDE_JOB + name.length * CHARACTER + (opens ? SWITCH : 0)
  }
  if (!group) return 0
  const statuses = new Set(group.jobs.map(({ status }) => status)).size
  return inside + BESIDE_GROUP + group.name.length * CHARACTER + statuses * COUNT
}
