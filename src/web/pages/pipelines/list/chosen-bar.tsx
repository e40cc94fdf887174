import { CircleX, RotateCcw, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'

import { projectApi } from '../../../../addresses/first-reads.js'
import type { DetailedPipeline } from '../../../../coordinator/ci/pipelines/details/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { Button } from '../../../kit/button.js'
import { ConfirmDialog } from '../../../kit/dialog.js'
import { actionsOnChosen } from '../pipeline-actions.js'
import styles from './chosen-bar.module.css'

type ActionName = 'retry' | 'cancel' | 'delete'

const DONE: Record<ActionName, string> = { retry: 'retried', cancel: 'canceled', delete: 'deleted' }

interface ChosenBarProps {
  project: string
  chosen: readonly DetailedPipeline[]
  onClear: () => void
  onChanged: () => void
}

/** The actions on the pipelines that are selected in a list. */
export function ChosenBar({ project, chosen, onClear, onChanged }: ChosenBarProps) {
  const { may, reasonAgainst } = useProjectAbilities(project)
  const [deletes, setDeletes] = useState(false)
  const ids = actionsOnChosen(chosen)
  const act = useAction(async (name: ActionName) => {
    try {
      for (const id of ids[name]) {
        const path = `${projectApi(project)}/pipelines/${id}`
        await (name === 'delete'
          ? requestJson(path, { method: 'DELETE' })
          : requestJson(`${path}/${name}`, { method: 'POST' }))
      }
      notify(`${countOf(ids[name].length)} ${ids[name].length === 1 ? 'was' : 'were'} ${DONE[name]}`)
      onClear()
    } finally {
      // After a refused request, the pipelines before it have changed already.
      setDeletes(false)
      onChanged()
    }
  }, notifyError)
  const mayRun = may('run_pipelines')
  const reason = reasonAgainst('run_pipelines')
  return (
    <div class={styles['bar']} role="group" aria-label="Selected pipelines">
      <strong>{chosen.length} selected</strong>
      {mayRun && (
        <>
          <Button
            size="small"
            icon={RotateCcw}
            isBusy={act.isBusy}
            reason={reason ?? (ids.retry.length === 0 ? 'None of them can be retried.' : undefined)}
            onClick={() => void act.run('retry')}
          >
            Retry {ids.retry.length}
          </Button>
          <Button
            size="small"
            icon={CircleX}
            isBusy={act.isBusy}
            reason={reason ?? (ids.cancel.length === 0 ? 'None of them can be canceled.' : undefined)}
            onClick={() => void act.run('cancel')}
          >
            Cancel {ids.cancel.length}
          </Button>
        </>
      )}
      {may('delete_pipelines') && (
        <Button
          size="small"
          icon={Trash2}
          isBusy={act.isBusy}
          reason={reasonAgainst('delete_pipelines')}
          onClick={() => setDeletes(true)}
        >
          Delete {chosen.length}
        </Button>
      )}
      <Button size="small" kind="ghost" onClick={onClear}>
        Clear selection
      </Button>
      {deletes && (
        <ConfirmDialog
          title={`Delete ${countOf(chosen.length)}?`}
          action="Delete"
          isBusy={act.isBusy}
          onConfirm={() => void act.run('delete')}
          onClose={() => setDeletes(false)}
        >
          <p>
            {ids.delete.map((id) => `#${id}`).join(', ')}: their jobs, logs and artifacts are deleted too.
            This cannot be undone.
          </p>
        </ConfirmDialog>
      )}
    </div>
  )
}

function countOf(count: number): string {
  return count === 1 ? '1 pipeline' : `${count} pipelines`
}
