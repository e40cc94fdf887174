import { CircleCheck, CircleDot } from 'lucide'

import type { Epic } from '../../../coordinator/planning/epics/epic-schema.js'
import { DueDate } from '../../discussion/due-date.js'
import { formatDay } from '../../discussion/due-words.js'
import { Icon } from '../../kit/icon.js'
import styles from './epic-rows.module.css'

/** Whether an epic or an issue is open, as an icon. */
export function StateIcon({ state }: { state: string }) {
  const isOpen = state === 'opened'
  return (
    <span class={isOpen ? styles['open'] : styles['closed']}>
      <Icon icon={isOpen ? CircleDot : CircleCheck} label={isOpen ? 'Open' : 'Closed'} size={15} />
    </span>
  )
}

/** First day and due date. */
export function EpicDatesLine({ epic }: { epic: Epic }) {
  const { start_date: start, due_date: due, state } = epic
  return (
    <>
      {start !== null && <span>from {formatDay(start)}</span>}
      {due !== null && <DueDate day={due} isOpen={state === 'opened'} />}
    </>
  )
}
