import { useState } from 'preact/hooks'

import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { refresh } from '../../api/use-read.js'
import { Input } from '../../kit/field.js'
import { FormDialog } from '../../kit/form-dialog.js'

interface RenameDialogProps {
  /** The pipeline in the API. */
  path: string
  name: string
  onClose: () => void
}

/** Changes the name of a pipeline. */
export function RenameDialog({ path, name, onClose }: RenameDialogProps) {
  const [text, setText] = useState(name)
  const rename = useAction(async () => {
    await requestJson(`${path}/metadata`, { method: 'PUT', body: { name: text.trim() } })
    await refresh(path)
    onClose()
  })
  return (
    <FormDialog
      title="Rename pipeline"
      action="Rename"
      isBusy={rename.isBusy}
      error={rename.error}
      isIncomplete={text.trim() === ''}
      onSubmit={() => void rename.run()}
      onClose={onClose}
    >
      <Input label="Name" value={text} onInput={setText} autoFocus />
    </FormDialog>
  )
}
