import { Pause, Play } from 'lucide'

import type { DetailedRunner } from '../../../coordinator/ci/runners/schema.js'
import { RequestError, requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { refresh } from '../../api/use-read.js'
import { notify, notifyError } from '../../frame/notices.js'
import { Button } from '../../kit/button.js'
import { runnersApi, type RunnerScope, runnersList } from './runner-scope.js'
import { runnerName } from './use-runner-actions.js'

interface PauseRunnersProps {
  scope: RunnerScope
  /** The runners that are selected. */
  runners: readonly DetailedRunner[]
  onDone: () => void
}

/** Pauses several runners, or resumes them. A paused runner finishes its jobs and takes no others: it drains. */
export function PauseRunners({ scope, runners, onDone }: PauseRunnersProps) {
  const set = useAction(async (paused: boolean) => {
    const refused: string[] = []
    for (const runner of runners) {
      try {
        await requestJson(`/runners/${runner.id}`, { method: 'PUT', body: { paused } })
      } catch (error) {
        // One that was deleted since it was selected does not keep the others from it.
        if (!(error instanceof RequestError)) throw error
        refused.push(`${runnerName(runner)}: ${error.message}`)
      }
    }
    await refresh(runnersList(scope), `${runnersApi(scope)}/counts`)
    const done = runners.length - refused.length
    notify(
      [`${done === 1 ? '1 runner' : `${done} runners`} ${paused ? 'paused' : 'resumed'}`, ...refused].join(
        '; ',
      ),
    )
    onDone()
  }, notifyError)
  const reason = runners.length === 0 ? 'Select runners.' : undefined
  return (
    <>
      <Button
        size="small"
        icon={Pause}
        isBusy={set.isBusy}
        reason={reason}
        title="They finish their jobs and take no others."
        onClick={() => void set.run(true)}
      >
        Pause (drain)
      </Button>
      <Button
        size="small"
        icon={Play}
        isBusy={set.isBusy}
        reason={reason}
        onClick={() => void set.run(false)}
      >
        Resume
      </Button>
    </>
  )
}
