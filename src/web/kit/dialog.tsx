import { X } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'

import { Button, IconButton } from './button.js'
import styles from './dialog.module.css'
import { Input } from './field.js'
import { useModal } from './use-modal.js'

interface DialogProps {
  title: string
  onClose: () => void
  children: ComponentChildren
  /** Buttons at the end. */
  actions?: ComponentChildren
  /** Called when the form inside is sent; without it, the dialog contains no form. */
  onSubmit?: () => void
}

/** A modal dialog, open while it is rendered. The focus returns to where it was. */
export function Dialog({ title, onClose, children, actions, onSubmit }: DialogProps) {
  const dialog = useModal()
  const id = useId()
  const body = (
    <>
      <div class={styles['body']}>{children}</div>
      {actions && <div class={styles['actions']}>{actions}</div>}
    </>
  )
  return (
    <dialog
      ref={dialog}
      class={styles['dialog']}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose()
      }}
    >
      <div class={styles['content']}>
        <header class={styles['header']}>
          <h2 id={id}>{title}</h2>
          <IconButton icon={X} label="Close" onClick={onClose} />
        </header>
        {onSubmit ? (
          <form
            onSubmit={(event) => {
              event.preventDefault()
              onSubmit()
            }}
          >
            {body}
          </form>
        ) : (
          body
        )}
      </div>
    </dialog>
  )
}

interface ConfirmProps {
  title: string
  /** The verb on the button: "Delete branch". */
  action: string
  isBusy?: boolean
  /** The text that has to be typed before the action: the path of a project that is deleted. */
  typed?: string
  onConfirm: () => void
  onClose: () => void
  children: ComponentChildren
}

/** Asks before an action that cannot be undone. */
export function ConfirmDialog({
  title,
  action,
  isBusy = false,
  typed,
  onConfirm,
  onClose,
  children,
}: ConfirmProps) {
  const [text, setText] = useState('')
  const isConfirmed = typed === undefined || text === typed
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={() => {
        if (isConfirmed) onConfirm()
      }}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" type="submit" isBusy={isBusy} disabled={!isConfirmed}>
            {action}
          </Button>
        </>
      }
    >
      {children}
      {typed !== undefined && (
        <Input label={`Type ${typed} to confirm`} value={text} onInput={setText} autoComplete="off" />
      )}
    </Dialog>
  )
}
