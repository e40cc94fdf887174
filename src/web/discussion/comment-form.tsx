import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

import { requestJson } from '../api/client.js'
import { useAction } from '../api/use-action.js'
import { notify, notifyError } from '../frame/notices.js'
import { Button } from '../kit/button.js'
import { CheckBox } from '../kit/field.js'
import styles from './comment-form.module.css'
import type { Discussed } from './discussed.js'
import { LoadedEditor } from './loaded-editor.js'
import { useDraft } from './use-draft.js'

interface CommentFormProps {
  of: Discussed
  /** What the text is for, as the key of its draft: `comment`, `reply-3f2a…`. */
  name: string
  /** Name of the field for screen readers. */
  label: string
  /** The verb on the button. */
  action: string
  /** Sends the text: `POST` or `PUT` to this path with `body` and `values`. */
  path: string
  method?: 'POST' | 'PUT'
  values?: object
  /** The text before anything was typed. */
  initial?: string
  placeholder?: string
  rows?: number
  takesFocus?: boolean
  /** Why nothing can be sent now. */
  reason?: string | undefined
  /** Offers to write a comment for members from the reporter role on alone. */
  mayBeInternal?: boolean
  /** A second button, which sends the text to another path. */
  alternative?: Alternative | undefined
  /** After the text was sent. */
  onSent: () => void
  onCancel?: () => void
  /** Further buttons; they get what sends the text, if there is one. */
  children?: ComponentChildren
}

/** Another way to send a text. */
export interface Alternative {
  /** The verb on its button. */
  action: string
  path: string
  /** The parameter with the text. */
  field: string
  values?: object
}

/** What a comment of nothing but quick actions gives. */
interface Applied {
  summary?: string[]
}

/** A field for a comment, which is kept in the browser until it is sent. */
export function CommentForm({
  of,
  name,
  label,
  action,
  path,
  method = 'POST',
  values,
  initial = '',
  placeholder,
  rows = 4,
  takesFocus = false,
  reason,
  mayBeInternal = false,
  alternative,
  onSent,
  onCancel,
  children,
}: CommentFormProps) {
  const draft = useDraft(name, initial)
  const [isInternal, setInternal] = useState(false)
  const sending = useAction(async (other?: Alternative) => {
    const body = other
      ? { [other.field]: draft.text, ...values, ...other.values }
      : { body: draft.text, ...values, ...(isInternal && { internal: true }) }
    const { summary } = await requestJson<Applied>(
      other?.path ?? path,
      other ? { method: 'POST', body } : { method, body },
    )
    if (summary) notify(summary.length === 0 ? 'Nothing was changed' : summary.join(' '))
    draft.discard()
    setInternal(false)
    onSent()
  }, notifyError)
  const isEmpty = draft.text.trim() === ''
  const send = () => {
    if (!isEmpty && reason === undefined) void sending.run()
  }
  const cancel =
    onCancel &&
    (() => {
      draft.discard()
      onCancel()
    })
  return (
    <form
      class={styles['form']}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <LoadedEditor
        project={of.project}
        kind={of.kind}
        label={label}
        value={draft.text}
        onInput={draft.setText}
        onSend={send}
        // Escape does not throw away what was typed.
        {...(cancel && { onCancel: () => (draft.isChanged ? undefined : cancel()) })}
        {...(placeholder !== undefined && { placeholder })}
        rows={rows}
        takesFocus={takesFocus}
      />
      {mayBeInternal && (
        <CheckBox
          label="Internal: only members from the Reporter role on see it"
          checked={isInternal}
          onInput={setInternal}
        />
      )}
      <div class={styles['actions']}>
        <Button
          kind="primary"
          type="submit"
          isBusy={sending.isBusy}
          reason={reason}
          disabled={isEmpty}
          title="Ctrl+Enter"
        >
          {action}
        </Button>
        {alternative && (
          <Button
            isBusy={sending.isBusy}
            reason={reason}
            disabled={isEmpty}
            onClick={() => void sending.run(alternative)}
          >
            {alternative.action}
          </Button>
        )}
        {cancel && <Button onClick={cancel}>Cancel</Button>}
        {children}
      </div>
    </form>
  )
}
