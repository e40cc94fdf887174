import { ArrowDown, ArrowUp, X } from 'lucide'

import { IconButton } from '../../../kit/button.js'
import styles from '../epic-rows.module.css'

interface RowActionsProps {
  /** Names the row for screen readers. */
  name: string
  isBusy: boolean
  /** Undefined for the first and for the last row. */
  onUp?: (() => void) | undefined
  onDown?: (() => void) | undefined
  onRemove: () => void
  /** Rows have no order of their own. */
  hasNoOrder?: boolean
}

/** What moves a row of an epic within its list, or removes it. */
export function RowActions({ name, isBusy, onUp, onDown, onRemove, hasNoOrder = false }: RowActionsProps) {
  return (
    <span class={styles['actions']}>
      {!hasNoOrder && (
        <>
          <IconButton
            size="small"
            icon={ArrowUp}
            label={`Move ${name} up`}
            isBusy={isBusy}
            reason={onUp ? undefined : 'It is the first one.'}
            onClick={onUp}
          />
          <IconButton
            size="small"
            icon={ArrowDown}
            label={`Move ${name} down`}
            isBusy={isBusy}
            reason={onDown ? undefined : 'It is the last one.'}
            onClick={onDown}
          />
        </>
      )}
      <IconButton size="small" icon={X} label={`Remove ${name}`} isBusy={isBusy} onClick={onRemove} />
    </span>
  )
}
