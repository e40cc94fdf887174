import { Trash2 } from 'lucide'
import { useState } from 'preact/hooks'

import { projectApi } from '../../../addresses/first-reads.js'
import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { notify, notifyError } from '../../frame/notices.js'
import { IconButton } from '../../kit/button.js'
import { ConfirmDialog } from '../../kit/dialog.js'

interface DeleteRefProps {
  project: string
  kind: 'branch' | 'tag'
  name: string
  /** Why it cannot be deleted. */
  reason?: string | undefined
  onDeleted: () => void
}

/** Deletes a branch or a tag, after asking. */
export function DeleteRef({ project, kind, name, reason, onDeleted }: DeleteRefProps) {
  const [asks, setAsks] = useState(false)
  const deletion = useAction(async () => {
    const list = kind === 'branch' ? 'branches' : 'tags'
    await requestJson(`${projectApi(project)}/repository/${list}/${encodeURIComponent(name)}`, {
      method: 'DELETE',
    })
    setAsks(false)
    notify(`The ${kind} ${name} was deleted`)
    onDeleted()
  }, notifyError)
  return (
    <>
      <IconButton icon={Trash2} label={`Delete ${name}`} reason={reason} onClick={() => setAsks(true)} />
      {asks && (
        <ConfirmDialog
          title={`Delete ${kind}`}
          action={`Delete ${kind}`}
          isBusy={deletion.isBusy}
          onConfirm={() => void deletion.run()}
          onClose={() => setAsks(false)}
        >
          <p>
            The {kind} <strong>{name}</strong> will be deleted
            {kind === 'branch' ? '; commits that are on no other branch are lost.' : ', and its release.'}
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
