import { DueDate } from '../../discussion/due-date.js'
import { formatDay } from '../../discussion/due-words.js'
import { Badge } from '../../kit/badge.js'

/** A milestone as the API lists it. */
export interface MilestoneRecord {
  id: number
  iid: number
  group_id?: number
  title: string
  description: string | null
  state: 'active' | 'closed'
  due_date: string | null
  start_date: string | null
  web_url: string
}

/** State and dates of a milestone. */
export function MilestoneFacts({ milestone }: { milestone: MilestoneRecord }) {
  const { state, start_date: start, due_date: due } = milestone
  return (
    <>
      {state === 'closed' && <Badge>Closed</Badge>}
      {start !== null && <span>from {formatDay(start)}</span>}
      {due !== null && <DueDate day={due} isOpen={state === 'active'} />}
      {start === null && due === null && <span>No dates</span>}
    </>
  )
}
