import { useState } from 'preact/hooks'

import { useAction } from '../../api/use-action.js'
import { Input, TextArea } from '../../kit/field.js'
import { FormDialog } from '../../kit/form-dialog.js'

export interface NewRef {
  name: string
  from: string
  message: string
}

interface NewRefDialogProps {
  kind: 'branch' | 'tag'
  /** The branch, tag or commit that is proposed to start from. */
  from: string
  /** Creates it; a RequestError that it throws is shown in the dialog. */
  create: (ref: NewRef) => Promise<void>
  onClose: () => void
}

/** Asks for the name of a new branch or tag, and where it starts. */
export function NewRefDialog({ kind, from: proposed, create, onClose }: NewRefDialogProps) {
  const [name, setName] = useState('')
  const [from, setFrom] = useState(proposed)
  const [message, setMessage] = useState('')
  const creating = useAction(async () => create({ name, from, message }))
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
