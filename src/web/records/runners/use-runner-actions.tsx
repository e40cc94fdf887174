import { useState } from 'preact/hooks'

import type { RunnerSummary } from '../../../coordinator/ci/runners/schema.js'
import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { refresh } from '../../api/use-read.js'
import { notify, notifyError } from '../../frame/notices.js'
import { ConfirmDialog } from '../../kit/dialog.js'
import { runnersApi, type RunnerScope, runnersList } from './runner-scope.js'

type NamedRunner = Pick<RunnerSummary, 'id' | 'description' | 'paused'>

export function runnerName({ id, description }: Pick<RunnerSummary, 'id' | 'description'>): string {
  return description || `Runner ${id}`
}

/** Pausing and deleting a runner. `dialog` asks before it is deleted. */
export function useRunnerActions(scope: RunnerScope, onDeleted?: () => void) {
  const [deleted, setDeleted] = useState<NamedRunner>()
  const reload = () => refresh(runnersList(scope), `${runnersApi(scope)}/counts`)
  const pause = useAction(async ({ id, paused }: NamedRunner) => {
    await requestJson(`/runners/${id}`, { method: 'PUT', body: { paused: !paused } })
    await Promise.all([reload(), refresh(`/runners/${id}`)])
  }, notifyError)
  const remove = useAction(async (runner: NamedRunner) => {
    await requestJson(`/runners/${runner.id}`, { method: 'DELETE' })
    setDeleted(undefined)
    notify(`${runnerName(runner)} was deleted`)
    onDeleted?.()
    await reload()
  }, notifyError)
  const dialog = deleted && (
    <ConfirmDialog
      title={`Delete ${runnerName(deleted)}?`}
      action="Delete runner"
      isBusy={remove.isBusy}
      onConfirm={() => void remove.run(deleted)}
      onClose={() => setDeleted(undefined)}
    >
      <p>Its token becomes invalid, and it gets no more jobs.</p>
    </ConfirmDialog>
  )
  return { pause, askToDelete: setDeleted, dialog }
}
