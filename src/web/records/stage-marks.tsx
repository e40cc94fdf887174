import { StatusIcon, statusLook } from '../kit/status.js'
import styles from './stage-marks.module.css'

interface MarkedStage {
  name: string
  status: string
  /** Whether a job failed that may fail. */
  has_warnings?: boolean
}

/** The stages of a pipeline in their order, a mark for each. */
export function StageMarks({ stages }: { stages: readonly MarkedStage[] }) {
  if (stages.length === 0) return null
  return (
    <ol class={styles['stages']} aria-label="Stages">
      {stages.map(({ name, status, has_warnings: hasWarnings }) => {
        const shown = status === 'success' && hasWarnings ? 'warning' : status
        return (
          <li key={name}>
            <StatusIcon status={shown} label={`${name}: ${statusLook(shown).label}`} size={18} />
          </li>
        )
      })}
    </ol>
  )
}
