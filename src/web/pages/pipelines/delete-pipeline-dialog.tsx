import { addressOf } from '../../../addresses/address-of.js'
import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { navigate } from '../../frame/location.js'
import { notify, notifyError } from '../../frame/notices.js'
import { ConfirmDialog } from '../../kit/dialog.js'

interface DeletePipelineDialogProps {
  project: string
  id: number
  /** The pipeline in the API. */
  path: string
  onClose: () => void
}

/** Deletes a pipeline and shows the others. */
export function DeletePipelineDialog({ project, id, path, onClose }: DeletePipelineDialogProps) {
  const remove = useAction(async () => {
    await requestJson(path, { method: 'DELETE' })
    notify(`Pipeline #${id} was deleted`)
    navigate(addressOf('pipelines/list', { project }))
  }, notifyError)
  return (
    <ConfirmDialog
      title={`Delete pipeline #${id}?`}
      action="Delete pipeline"
      isBusy={remove.isBusy}
      onConfirm={() => void remove.run()}
      onClose={onClose}
    >
      <p>Its jobs, logs and artifacts are deleted too. This cannot be undone.</p>
    </ConfirmDialog>
  )
}
