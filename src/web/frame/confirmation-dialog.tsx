import { useState } from 'preact/hooks'

import { requestJson } from '../api/client.js'
import { useAction } from '../api/use-action.js'
import { Button } from '../kit/button.js'
import { Dialog } from '../kit/dialog.js'
import { Input, Select } from '../kit/field.js'

export interface ConfirmationProps {
  onAnswer: (isConfirmed: boolean) => void
}

/** The password or a token, again. */
export function ConfirmationDialog({ onAnswer }: ConfirmationProps) {
  const [kind, setKind] = useState('password')
  const [text, setText] = useState('')
  const confirm = useAction(async () => {
    await requestJson('/user/sessions/confirm', { method: 'POST', body: { [kind]: text } })
    onAnswer(true)
  })
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
      <p>This change needs your password or a personal access token. You are asked again after 30 minutes.</p>
      <Select
        label="Confirm with"
        value={kind}
        onInput={(chosen) => {
          setKind(chosen)
          setText('')
        }}
        choices={[
          { value: 'password', label: 'Password' },
          { value: 'token', label: 'Personal access token' },
        ]}
      />
      <Input
        label={kind === 'password' ? 'Password' : 'Token'}
        type="password"
        value={text}
        onInput={setText}
        error={confirm.error?.message}
        autoComplete={kind === 'password' ? 'current-password' : 'off'}
        required
      />
    </Dialog>
  )
}
