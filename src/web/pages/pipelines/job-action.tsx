import { CirclePlay, CircleX, type IconNode, RotateCcw, TimerOff } from 'lucide'
import { useState } from 'preact/hooks'

import { projectApi } from '../../../addresses/first-reads.js'
import type { GraphJob } from '../../../coordinator/ci/pipelines/graph/schema.js'
import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { refresh } from '../../api/use-read.js'
import { notifyError } from '../../frame/notices.js'
import { IconButton } from '../../kit/button.js'
import { ConfirmDialog } from '../../kit/dialog.js'

type ActionName = GraphJob['actions'][number]

const LOOKS: Record<ActionName, { icon: IconNode; label: string }> = {
  play: { icon: CirclePlay, label: 'Run' },
  unschedule: { icon: TimerOff, label: 'Unschedule' },
  retry: { icon: RotateCcw, label: 'Retry' },
  cancel: { icon: CircleX, label: 'Cancel' },
}

/** The button with the first action that the state of a job allows; nothing for those who may not run pipelines. */
export function JobAction({
  project,
  pipeline,
  job,
  mayRun,
  reason,
}: {
  project: string
  pipeline: string | number
  job: GraphJob
  /** Whether the user may run pipelines of the project. */
  mayRun: boolean
  /** Why nobody can run pipelines at the moment. */
  reason: string | undefined
}) {
  const [asks, setAsks] = useState(false)
  const act = useAction(async (name: ActionName) => {
    await requestJson(`${projectApi(project)}/jobs/${job.id}/${name}`, { method: 'POST' })
    setAsks(false)
    await refresh(`${projectApi(project)}/pipelines/${pipeline}`)
  }, notifyError)
  const [name] = job.actions
  if (name === undefined || job.kind === 'external' || !mayRun) return null
  const { icon, label } = LOOKS[name]
  return (
    <>
      <IconButton
        size="small"
        icon={icon}
        label={`${label} ${job.name}`}
        isBusy={act.isBusy}
        reason={reason}
        onClick={() => {
          if (name === 'play' && job.manual_confirmation !== null) setAsks(true)
          else void act.run(name)
        }}
      />
      {asks && (
        <ConfirmDialog
          title={`Run ${job.name}?`}
          action="Run"
          isBusy={act.isBusy}
          onConfirm={() => void act.run('play')}
          onClose={() => setAsks(false)}
        >
          <p>{job.manual_confirmation}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
