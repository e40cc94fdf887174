import { Ban } from 'lucide'
import { useState } from 'preact/hooks'

import { projectApi } from '../../../../addresses/first-reads.js'
import type { RunnerJob } from '../../../../coordinator/ci/jobs/schema.js'
import { RequestError, requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh } from '../../../api/use-read.js'
import { notify } from '../../../frame/notices.js'
import { Alert } from '../../../kit/alert.js'
import { Button } from '../../../kit/button.js'
import { FormDialog } from '../../../kit/form-dialog.js'
import styles from './page.module.css'

/** Cancels jobs of any projects, after a question. */
export function CancelJobs({ jobs, onDone }: { jobs: readonly RunnerJob[]; onDone: () => void }) {
  const [asked, setAsked] = useState<readonly RunnerJob[]>()
  return (
    <>
      <Button
        size="small"
        kind="danger"
        icon={Ban}
        reason={jobs.length === 0 ? 'Select jobs that have not ended.' : undefined}
        onClick={() => setAsked(jobs)}
      >
        Cancel {jobs.length === 0 ? 'jobs' : jobs.length === 1 ? '1 job' : `${jobs.length} jobs`}
      </Button>
      {asked && <CancelDialog jobs={asked} onClose={() => setAsked(undefined)} onDone={onDone} />}
    </>
  )
}

interface CancelDialogProps {
  jobs: readonly RunnerJob[]
  onClose: () => void
  onDone: () => void
}

function CancelDialog({ jobs, onClose, onDone }: CancelDialogProps) {
  const [done, setDone] = useState(0)
  const [refused, setRefused] = useState<readonly string[]>([])
  const count = jobs.length === 1 ? '1 job' : `${jobs.length} jobs`
  const cancel = useAction(async () => {
    const messages: string[] = []
    setDone(0)
    for (const { id, name, project } of jobs) {
      try {
        await requestJson(`${projectApi(project.path_with_namespace)}/jobs/${id}/cancel`, { method: 'POST' })
      } catch (error) {
        // A job may have ended since it was selected; the others are canceled all the same.
        if (!(error instanceof RequestError)) throw error
        messages.push(`${name} #${id}: ${error.message}`)
      }
      setDone((before) => before + 1)
    }
    await refresh('/jobs')
    onDone()
    const canceled = jobs.length - messages.length
    if (canceled > 0) notify(canceled === 1 ? '1 job is canceled' : `${canceled} jobs are canceled`)
    if (messages.length === 0) onClose()
    else setRefused(messages)
  })
  if (refused.length > 0) {
    return (
      <FormDialog
        title="Not all jobs were canceled"
        action="Close"
        isBusy={false}
        onSubmit={onClose}
        onClose={onClose}
      >
        <Alert tone="warning">
          <ul class={styles['refused']}>
            {refused.map((message) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        </Alert>
      </FormDialog>
    )
  }
  return (
    <FormDialog
      title={`Cancel ${count}?`}
      action={cancel.isBusy ? `Canceled ${done} of ${jobs.length}` : `Cancel ${count}`}
      isBusy={cancel.isBusy}
      error={cancel.error}
      isDangerous
      onSubmit={() => void cancel.run()}
      onClose={onClose}
    >
      <p>{jobs.length === 1 ? 'It ends' : 'They end'} without a result, and their pipelines may fail.</p>
    </FormDialog>
  )
}
