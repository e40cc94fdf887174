import { Eraser } from 'lucide'
import { useState } from 'preact/hooks'

import { projectApi } from '../../addresses/first-reads.js'
import { requestJson } from '../api/client.js'
import { useAction } from '../api/use-action.js'
import { refresh } from '../api/use-read.js'
import { notify, notifyError } from '../frame/notices.js'
import { Button } from '../kit/button.js'
import { ConfirmDialog } from '../kit/dialog.js'

interface ClearCachesButtonProps {
  project: string
  size?: 'small' | 'normal'
  /** Why nobody can clear them now. */
  reason: string | undefined
}

/** Deletes the caches of a project on the server, and makes runners begin new ones. */
export function ClearCachesButton({ project, size = 'normal', reason }: ClearCachesButtonProps) {
  const [asks, setAsks] = useState(false)
  const clear = useAction(async () => {
    const path = `${projectApi(project)}/caches`
    await requestJson(path, { method: 'DELETE' })
    setAsks(false)
    notify('The caches were cleared')
    await refresh(path)
  }, notifyError)
  return (
    <>
      <Button size={size} icon={Eraser} reason={reason} onClick={() => setAsks(true)}>
        Clear runner caches
      </Button>
      {asks && (
        <ConfirmDialog
          title="Clear the caches of all jobs?"
          action="Clear caches"
          isBusy={clear.isBusy}
          onConfirm={() => void clear.run()}
          onClose={() => setAsks(false)}
        >
          <p>The next jobs create them again, and take longer.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
