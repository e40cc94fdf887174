import type { ComponentChildren } from 'preact'

import { Alert } from './alert.js'

interface ActionFormProps {
  /** What is done when the form is sent, and what went wrong. */
  action: { run: () => Promise<void>; error: { message: string } | undefined }
  /** False where the fields show what went wrong. */
  showsError?: boolean
  class?: string | undefined
  children: ComponentChildren
}

/** A form in the page, whose button carries out one action. */
export function ActionForm({ action, showsError = true, class: className, children }: ActionFormProps) {
  return (
    <form
      class={className}
      onSubmit={(event) => {
        event.preventDefault()
        void action.run()
      }}
    >
      {showsError && action.error && <Alert tone="error" title={action.error.message} />}
      {children}
    </form>
  )
}
