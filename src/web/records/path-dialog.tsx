import { useState } from 'preact/hooks'

import { requestJson } from '../api/client.js'
import { useAction } from '../api/use-action.js'
import { Input } from '../kit/field.js'
import { FormDialog } from '../kit/form-dialog.js'

interface PathDialogProps<Data> {
  /** Path of the project or group in the API. */
  api: string
  /** The present path, without that of the namespace. */
  path: string
  help: string
  onMoved: (record: Data) => void
  onClose: () => void
}

/** Changes the last part of the path of a project or group. */
export function PathDialog<Data>({ api, path: before, help, onMoved, onClose }: PathDialogProps<Data>) {
  const [path, setPath] = useState(before)
  const change = useAction(async () => {
    const record = await requestJson<Data>(api, { method: 'PUT', body: { path } })
    onClose()
    onMoved(record)
  })
  return (
    <FormDialog
      title="Change the path"
      action="Change path"
      isBusy={change.isBusy}
      error={change.error}
      isIncomplete={path === before}
      isDangerous
      onSubmit={() => void change.run()}
      onClose={onClose}
    >
      <Input
        label="Path"
        value={path}
        onInput={setPath}
        required
        autoComplete="off"
        spellcheck={false}
        help={help}
      />
    </FormDialog>
  )
}
