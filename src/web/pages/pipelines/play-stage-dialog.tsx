import type { GraphJob } from '../../../coordinator/ci/pipelines/graph/schema.js'
import type { JobsOutcome } from '../../../coordinator/ci/pipelines/schema.js'
import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { refresh } from '../../api/use-read.js'
import { notify, notifyError } from '../../frame/notices.js'
import { ConfirmDialog } from '../../kit/dialog.js'
import styles from './pipeline-layout.module.css'

/** A stage, and those of its jobs that are manual and not started. */
export interface ManualStage {
  name: string
  jobs: readonly GraphJob[]
}

interface PlayStageDialogProps {
  /** The pipeline in the API. */
  path: string
  stage: ManualStage
  onClose: () => void
}

/** Starts all manual jobs of a stage. */
export function PlayStageDialog({ path, stage: { name: stage, jobs }, onClose }: PlayStageDialogProps) {
  const play = useAction(async () => {
    const { jobs: started, refused } = await requestJson<JobsOutcome>(
      `${path}/stages/${encodeURIComponent(stage)}/play`,
      { method: 'POST' },
    )
    notify(
      refused.length === 0
        ? `${countOfJobs(started.length)} of ${stage} started`
        : `${countOfJobs(started.length)} of ${stage} started; not started: ${refused.map(({ name, message }) => `${name} (${message})`).join(', ')}`,
    )
    onClose()
    await refresh(path)
  }, notifyError)
  return (
    <ConfirmDialog
      title={`Run ${countOfJobs(jobs.length)} of stage ${stage}?`}
      action="Run"
      isBusy={play.isBusy}
      onConfirm={() => void play.run()}
      onClose={onClose}
    >
      <ul class={styles['plays']}>
        {jobs.map(({ id, name, manual_confirmation: question }) => (
          <li key={id}>
            {name}
            {question !== null && `: ${question}`}
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  )
}

function countOfJobs(count: number): string {
  return count === 1 ? '1 job' : `${count} jobs`
}
