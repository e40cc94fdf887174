import { useState } from 'preact/hooks'

import { projectApi } from '../../../addresses/first-reads.js'
import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { refresh } from '../../api/use-read.js'
import { notify } from '../../frame/notices.js'
import { Input, TextArea } from '../../kit/field.js'
import { FormDialog } from '../../kit/form-dialog.js'

interface NewRefDialogProps {
  project: string
  kind: 'branch' | 'tag'
  /** The branch, tag or commit that is proposed to start from. */
  from: string
  onClose: () => void
}

/** Creates a branch or a tag. */
export function NewRefDialog({ project, kind, from: proposed, onClose }: NewRefDialogProps) {
  const [name, setName] = useState('')
  const [from, setFrom] = useState(proposed)
  const [message, setMessage] = useState('')
  const creating = useAction(async () => {
    const base = `${projectApi(project)}/repository`
    if (kind === 'branch') {
      await requestJson(`${base}/branches`, { method: 'POST', body: { branch: name, ref: from } })
    } else {
      const body = { tag_name: name, ref: from, ...(message !== '' && { message }) }
      await requestJson(`${base}/tags`, { method: 'POST', body })
    }
    onClose()
    notify(`The ${kind} ${name} was created`)
    await refresh(base)
  })
  return (
    <FormDialog
      title={`New ${kind}`}
      action={`Create ${kind}`}
      isBusy={creating.isBusy}
      error={creating.error}
      onSubmit={() => void creating.run()}
      onClose={onClose}
    >
      <Input
        label={`Name of the ${kind}`}
        value={name}
        onInput={setName}
        required
        autoFocus
        autoComplete="off"
        spellcheck={false}
      />
      <Input
        label="Create from"
        help="A branch, a tag or the SHA of a commit."
        value={from}
        onInput={setFrom}
        required
        autoComplete="off"
        spellcheck={false}
      />
      {kind === 'tag' && (
        <TextArea
          label="Message"
          help="With a message, the tag is annotated."
          value={message}
          onInput={setMessage}
        />
      )}
    </FormDialog>
  )
}
