import type { JobGroup } from './job-groups.js'

/** Statuses of what a reader looks for first, from the most interesting one. */
const ACTIVE = [
  ['running', 'canceling'],
  ['failed'],
  ['pending', 'waiting_for_resource', 'waiting_for_callback', 'preparing'],
  ['scheduled', 'manual'],
]

/** Number of the column at which a graph opens: where it runs, else where it failed or waits, else the first one. */
export function activeColumn(columns: readonly (readonly Pick<JobGroup, 'status'>[])[]): number {
  for (const statuses of ACTIVE) {
    const found = columns.findIndex((groups) => groups.some(({ status }) => statuses.includes(status)))
    if (found >= 0) return found
  }
  return 0
}
