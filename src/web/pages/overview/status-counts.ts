/** Statuses in the order in which they matter to readers; others come last. */
const ORDER = ['failed', 'running', 'pending', 'success']

export interface StatusCount {
  status: string
  count: number
}

/** The counts of a record by status, the ones that matter most first. */
export function countsInOrder(statuses: Readonly<Record<string, number>>): StatusCount[] {
  return Object.entries(statuses)
    .map(([status, count]) => ({ status, count }))
    .toSorted((a, b) => rank(a) - rank(b) || b.count - a.count)
}

function rank({ status }: StatusCount): number {
  const index = ORDER.indexOf(status)
  return index < 0 ? ORDER.length : index
}
