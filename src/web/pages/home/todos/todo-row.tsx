import { Check, CircleDot, GitPullRequestArrow, Undo2 } from 'lucide'
import { useEffect, useRef } from 'preact/hooks'

import type { Todo } from '../../../../coordinator/planning/todos/schema.js'
import { Button } from '../../../kit/button.js'
import { classNames } from '../../../kit/class-names.js'
import { Icon } from '../../../kit/icon.js'
import { Time } from '../../../kit/time.js'
import styles from '../../../planned/planned-row.module.css'
import { todoWords } from '../todo-words.js'
import own from './page.module.css'

interface TodoRowProps {
  todo: Todo
  /** The keys `j` and `k` have led here. */
  isCurrent: boolean
  isBusy: boolean
  onToggle: () => void
}

/** One to-do, with the button that marks it as done or as pending again. */
export function TodoRow({ todo, isCurrent, isBusy, onToggle }: TodoRowProps) {
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isCurrent) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isCurrent])
  const isDone = todo.state === 'done'
  const isIssue = todo.target_type === 'Issue'
  return (
    <li
      ref={row}
      class={classNames(styles['row'], isCurrent && styles['current'], isDone && own['finished'])}
    >
      <span class={classNames(styles['state'], isDone && styles['quiet'])}>
        <Icon icon={isIssue ? CircleDot : GitPullRequestArrow} label={isIssue ? 'Issue' : 'Merge request'} />
      </span>
      <div class={styles['main']}>
        <div class={styles['first']}>
          <a class={classNames(styles['title'], own['title'])} href={todo.target_url}>
            {todo.body}
          </a>
        </div>
        <div class={styles['facts']}>
          <span>
            {todoWords(todo)} · {todo.target.references.full} · <Time value={todo.created_at} />
          </span>
        </div>
      </div>
      <div class={styles['end']}>
        <Button
          size="small"
          icon={isDone ? Undo2 : Check}
          isBusy={isBusy}
          aria-label={isDone ? `Undo: ${todo.body}` : `Mark as done: ${todo.body}`}
          onClick={onToggle}
        >
          {isDone ? 'Undo' : 'Done'}
        </Button>
      </div>
    </li>
  )
}
