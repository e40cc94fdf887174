import { LogIn } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'

import type { Boot } from '../../coordinator/pages/schema.js'
import { boot } from '../api/boot.js'
import { signInAgainWith } from '../api/client.js'
import { useAction } from '../api/use-action.js'
import { Alert } from '../kit/alert.js'
import { Button, LinkButton } from '../kit/button.js'
import { Dialog } from '../kit/dialog.js'

/** Asks the user to sign in again in another tab, after the session has ended. What was typed stays. */
export function SignedOut() {
  const [isOpen, setOpen] = useState(false)
  const response = useRef<((isSignedIn: boolean) => void) | undefined>(undefined)
  useEffect(
    () =>
      signInAgainWith(
        () =>
          new Promise((resolve) => {
            response.current = resolve
            setOpen(true)
          }),
      ),
    [],
  )
  if (!isOpen) return null
  return (
    <SignedOutDialog
      onResponse={(isSignedIn) => {
        setOpen(false)
        response.current?.(isSignedIn)
      }}
    />
  )
}

function SignedOutDialog({ onResponse }: { onResponse: (isSignedIn: boolean) => void }) {
  const [problem, setProblem] = useState<string>()
  const proceed = useAction(async () => {
    const now = await readBoot()
    if (!now) setProblem('The server cannot be reached. Try again.')
    else if (!now.user) setProblem('You are not signed in yet.')
    else if (now.user.id !== boot.user?.id) location.reload()
    else {
      boot.csrf_token = now.csrf_token
      onResponse(true)
    }
  })
  return (
    <Dialog
      title="You have been signed out"
      onClose={() => onResponse(false)}
      actions={
        <>
          <LinkButton icon={LogIn} href="/users/sign_in" target="_blank">
            Sign in in another tab
          </LinkButton>
          <Button kind="primary" isBusy={proceed.isBusy} onClick={() => void proceed.run()}>
            Continue
          </Button>
        </>
      }
    >
      <p>Sign in again in another tab, then continue here. What you have typed stays.</p>
      {problem !== undefined && <Alert tone="error" title={problem} />}
    </Dialog>
  )
}

/** The current state of the session on the server; undefined without a response. */
async function readBoot(): Promise<Boot | undefined> {
  let page: string
  try {
    page = await (await fetch('/explore/projects', { headers: { accept: 'text/html' } })).text()
  } catch {
    return undefined // the dialog says so
  }
  const json = /<script type="application\/json" id="boot">(.*?)<\/script>/s.exec(page)?.[1]
  return json === undefined ? undefined : (JSON.parse(json) as Boot)
}
