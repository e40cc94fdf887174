import { useState } from 'preact/hooks'

import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { useTitle } from '../../../frame/document-title.js'
import { notify } from '../../../frame/notices.js'
import { Alert } from '../../../kit/alert.js'
import { Button } from '../../../kit/button.js'
import { Input } from '../../../kit/field.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import styles from './page.module.css'

/** Changes the password of the user. */
export function Page() {
  useTitle('Password')
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const change = useAction(async () => {
    await requestJson('/user/password', { method: 'PUT', body: { password } })
    setPassword('')
    setAgain('')
    notify('The password was changed. Your other sessions have ended.')
  })
  const differs = again !== '' && again !== password
  return (
    <>
      <PageHeader title="Password" details="A new password ends all other sessions." />
      <Panel>
        <form
          class={styles['form']}
          onSubmit={(event) => {
            event.preventDefault()
            if (!differs) void change.run()
          }}
        >
          {change.error && <Alert tone="error" title={change.error.message} />}
          <Input
            label="New password"
            type="password"
            value={password}
            onInput={setPassword}
            required
            autoComplete="new-password"
            help="At least 8 characters."
          />
          <Input
            label="New password again"
            type="password"
            value={again}
            onInput={setAgain}
            required
            autoComplete="new-password"
            error={differs ? 'The passwords differ.' : undefined}
          />
          <div>
            <Button kind="primary" type="submit" isBusy={change.isBusy} disabled={differs}>
              Change password
            </Button>
          </div>
        </form>
      </Panel>
    </>
  )
}
