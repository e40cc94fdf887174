import { CalendarClock } from 'lucide'

import { classNames } from '../kit/class-names.js'
import { Icon } from '../kit/icon.js'
import styles from './due-date.module.css'
import { dueWords, formatDay } from './due-words.js'

/** The day on which something is due, with a word if it is near or over. `isOpen`: it still matters. */
export function DueDate({ day, isOpen }: { day: string; isOpen: boolean }) {
  const words = isOpen ? dueWords(day, new Date()) : undefined
  return (
    <span class={classNames(styles['due'], words && styles[words.tone])}>
      <Icon icon={CalendarClock} size={14} />
      <span>
        {formatDay(day)}
        {words && ` (${words.text})`}
      </span>
    </span>
  )
}
