import { Badge } from '../../../kit/badge.js'
import { Time } from '../../../kit/time.js'
import styles from './page.module.css'

interface UpdateStateProps {
  mirror: {
    update_status: 'none' | 'scheduled' | 'started' | 'finished' | 'failed'
    last_error: string | null
    last_update_at: string | null
    last_successful_update_at: string | null
  }
}

const LOOKS = {
  none: { tone: 'neutral', word: 'not updated yet' },
  scheduled: { tone: 'neutral', word: 'waits for its update' },
  started: { tone: 'accent', word: 'is being updated' },
  finished: { tone: 'success', word: 'up to date' },
  failed: { tone: 'failed', word: 'failed' },
} as const

/** The last update of a mirror, with its error. */
export function UpdateState({ mirror }: UpdateStateProps) {
  const { update_status: status, last_error: error, last_update_at: at } = mirror
  const { tone, word } = LOOKS[status]
  return (
    <div>
      <Badge tone={tone}>{word}</Badge>{' '}
      {at !== null && (
        <span class={styles['quiet']}>
          <Time value={at} />
        </span>
      )}
      {error !== null && <div class={styles['quiet']}>{error}</div>}
      {status === 'failed' && mirror.last_successful_update_at !== null && (
        <div class={styles['quiet']}>
          last success <Time value={mirror.last_successful_update_at} />
        </div>
      )}
    </div>
  )
}
