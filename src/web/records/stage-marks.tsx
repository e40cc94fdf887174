import { StatusIcon, statusLook } from '../kit/status.js'
import { stageRoom, stageStatus } from '../statuses/stage-room.js'
import styles from './stage-marks.module.css'

/** Most marks in a line. */
const MARKS = 11

interface MarkedStage {
  name: string
  status: string
  /** Whether a job failed that may fail. */
  has_warnings?: boolean
}

/** The stages of a pipeline in their order, a mark for each; of many, the last ones share one. */
export function StageMarks({ stages }: { stages: readonly MarkedStage[] }) {
  if (stages.length === 0) return null
  const { shown, rest, restStatus } = stageRoom(stages, MARKS)
  return (
    <ol class={styles['stages']} aria-label="Stages">
      {shown.map((stage) => (
        <li key={stage.name}>
          <StatusIcon
            status={stageStatus(stage)}
            label={`${stage.name}: ${statusLook(stageStatus(stage)).label}`}
            size={18}
          />
        </li>
      ))}
      {rest.length > 0 && (
        <li class={styles['rest']}>
          <StatusIcon
            status={restStatus}
            label={`${rest.length} more stages: ${statusLook(restStatus).label}`}
            size={18}
          />
          <span aria-hidden="true">+{rest.length}</span>
        </li>
      )}
    </ol>
  )
}
