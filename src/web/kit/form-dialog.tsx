import type { ComponentChildren } from 'preact'

import { Alert } from './alert.js'
import { Button } from './button.js'
import { Dialog } from './dialog.js'

interface FormDialogProps {
  title: string
  /** The verb on the button: "Add key". */
  action: string
  isBusy: boolean
  /** What went wrong when the form was sent. */
  error?: { message: string } | undefined
  /** Nothing can be sent yet. */
  isIncomplete?: boolean
  isDangerous?: boolean
  onSubmit: () => void
  onClose: () => void
  children: ComponentChildren
}

/** A modal dialog with a form, whose button carries out one action. */
export function FormDialog({
  title,
  action,
  isBusy,
  error,
  isIncomplete = false,
  isDangerous = false,
  onSubmit,
  onClose,
  children,
}: FormDialogProps) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={onSubmit}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind={isDangerous ? 'danger' : 'primary'}
            type="submit"
            isBusy={isBusy}
            disabled={isIncomplete}
          >
            {action}
          </Button>
        </>
      }
    >
      {error && <Alert tone="error" title={error.message} />}
      {children}
    </Dialog>
  )
}
