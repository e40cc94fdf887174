import { isCron } from '../../../cron/cron.js'
import { describeCron } from '../../../cron/describe-cron.js'
import { Button } from '../../kit/button.js'
import { Input } from '../../kit/field.js'
import { nextTimes } from './next-times.js'
import styles from './schedule-form.module.css'

const EXAMPLES = [
  ['Every hour', '0 * * * *'],
  ['Every night', '0 4 * * *'],
  ['Weekdays', '0 4 * * 1-5'],
  ['Every week', '0 4 * * 1'],
  ['Every month', '0 4 1 * *'],
] as const

interface CronFieldProps {
  cron: string
  zone: string
  onInput: (cron: string) => void
  error: string | undefined
}

/** A cron expression, with its words and the next times as it is typed. */
export function CronField({ cron, zone, onInput, error }: CronFieldProps) {
  const isValid = isCron(cron)
  const times = isValid ? nextTimes(cron, zone, Date.now()) : []
  const words = describeCron(cron)
  return (
    <div class={styles['cron']}>
      <Input
        label="Cron expression"
        help="Minute, hour, day of the month, month, day of the week; or @daily, @weekly, @monthly."
        value={cron}
        onInput={onInput}
        required
        spellcheck={false}
        autoComplete="off"
        class={styles['expression']}
        error={
          error ??
          (isValid || cron.trim() === '' ? undefined : 'This is no cron expression with five fields.')
        }
      />
      <div class={styles['examples']} role="group" aria-label="Examples">
        {EXAMPLES.map(([label, example]) => (
          <Button
            key={example}
            size="small"
            aria-pressed={cron.trim() === example}
            onClick={() => onInput(example)}
          >
            {label}
          </Button>
        ))}
      </div>
      <div class={styles['times']} aria-live="polite">
        <p class={styles['words']}>{isValid ? (words ?? 'At the times below') : '–'}</p>
        {isValid && times.length === 0 ? (
          <p class={styles['never']}>This date never occurs.</p>
        ) : (
          <ol aria-label="Next times">
            {times.map(({ at, text }) => (
              <li key={at}>{text}</li>
            ))}
          </ol>
        )}
      </div>
    </div>
  )
}
