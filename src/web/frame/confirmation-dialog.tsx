import { useState } from 'preact/hooks'

import { RequestError, requestJson } from '../api/client.js'
import { signWithPasskey } from '../api/passkeys.js'
import { useAction } from '../api/use-action.js'
import { Button } from '../kit/button.js'
import { Dialog } from '../kit/dialog.js'
import { Input, Select } from '../kit/field.js'

const CHOICES = [
  { value: 'password', label: 'Password' },
  { value: 'token', label: 'Personal access token' },
  { value: 'passkey', label: 'Passkey' },
]

/** Asks for the password or a token, with the code of a user who has a second factor, or for a passkey. */
export function ConfirmationDialog({ onAnswer }: { onAnswer: (isConfirmed: boolean) => void }) {
  const [kind, setKind] = useState('password')
  const [text, setText] = useState('')
  const [code, setCode] = useState<string>()
  const confirm = useAction(async () => {
    const given = kind === 'passkey' ? await signWithPasskey('/user/sessions/passkey_options') : text
    try {
      const body = { [kind]: given, ...(code !== undefined && kind !== 'passkey' && { code }) }
      await requestJson('/user/sessions/confirm', { method: 'POST', body })
    } catch (error) {
      if (!wantsCode(error)) throw error
      setCode('')
      return
    }
    onAnswer(true)
  })
  const problem = confirm.error?.message
  return (
    <Dialog
      title="Confirm that it is you"
      onClose={() => onAnswer(false)}
      onSubmit={() => void confirm.run()}
      actions={
        <>
          <Button onClick={() => onAnswer(false)}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={confirm.isBusy}>
            Continue
          </Button>
        </>
      }
    >
      <p>
        This change needs your password, a personal access token or a passkey. You are asked again after 30
        minutes.
      </p>
      <Select
        label="Confirm with"
        value={kind}
        onInput={(chosen) => {
          setKind(chosen)
          setText('')
        }}
        choices={CHOICES}
      />
      {kind === 'passkey' ? (
        problem !== undefined && <p role="alert">{problem}</p>
      ) : (
        <Input
          label={kind === 'password' ? 'Password' : 'Token'}
          type="password"
          value={text}
          onInput={setText}
          error={problem}
          autoComplete={kind === 'password' ? 'current-password' : 'off'}
          required
        />
      )}
      {code !== undefined && kind !== 'passkey' && (
        <Input
          label="Code of your app, or a recovery code"
          value={code}
          onInput={setCode}
          autoComplete="one-time-code"
          required
        />
      )}
    </Dialog>
  )
}

function wantsCode(error: unknown): boolean {
  return (
    error instanceof RequestError &&
    (error.body as { error?: unknown } | undefined)?.error === 'code_required'
  )
}
