import { useEffect, useRef, useState } from 'preact/hooks'

import { confirmWith } from '../api/client.js'
import { useLoaded } from './use-loaded.js'

/** Asks for the password again when the server wants it before a dangerous change. */
export function Confirmation() {
  const [isOpen, setOpen] = useState(false)
  const answer = useRef<((isConfirmed: boolean) => void) | undefined>(undefined)
  useEffect(
    () =>
      confirmWith(
        () =>
          new Promise((resolve) => {
            answer.current = resolve
            setOpen(true)
          }),
      ),
    [],
  )
  if (!isOpen) return null
  return (
    <LoadedDialog
      onAnswer={(isConfirmed) => {
        setOpen(false)
        answer.current?.(isConfirmed)
      }}
    />
  )
}

function LoadedDialog(props: { onAnswer: (isConfirmed: boolean) => void }) {
  const part = useLoaded(() => import('./confirmation-dialog.js'))
  return part ? <part.ConfirmationDialog {...props} /> : null
}
