import { useState } from 'preact/hooks'

import type { NewTotpRecord, RecoveryCodes } from '../../../../coordinator/accounts/two-factor/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { Button } from '../../../kit/button.js'
import { CopyButton } from '../../../kit/copy-button.js'
import { Input } from '../../../kit/field.js'
import { Panel } from '../../../kit/panel.js'
import styles from './page.module.css'

const PATH = '/user/two_factor/totp'

interface AppPanelProps {
  isOn: boolean
  /** Called after a change, with new recovery codes if there are some. */
  onChanged: (codes?: readonly string[] | null) => Promise<void>
}

/** The app that shows codes: set up with a QR code and its first code. */
export function AppPanel({ isOn, onChanged }: AppPanelProps) {
  const [started, setStarted] = useState<NewTotpRecord>()
  const start = useAction(async () => {
    setStarted(await requestJson<NewTotpRecord>(PATH, { method: 'POST' }))
  }, notifyError)
  const remove = useAction(async () => {
    await requestJson(PATH, { method: 'DELETE' })
    notify('The app was removed')
    await onChanged()
  }, notifyError)
  return (
    <Panel title="Authenticator app">
      {isOn ? (
        <div class={styles['stack']}>
          <p>An app shows codes for your sign-ins.</p>
          <Button kind="danger" isBusy={remove.isBusy} onClick={() => void remove.run()}>
            Remove app
          </Button>
        </div>
      ) : started ? (
        <SetUp
          started={started}
          onDone={async (codes) => {
            setStarted(undefined)
            notify('The app is set up')
            await onChanged(codes)
          }}
        />
      ) : (
        <div class={styles['stack']}>
          <p>Any app for codes that change every 30 seconds (TOTP) will do.</p>
          <Button kind="primary" isBusy={start.isBusy} onClick={() => void start.run()}>
            Set up an app
          </Button>
        </div>
      )}
    </Panel>
  )
}

interface SetUpProps {
  started: NewTotpRecord
  onDone: (codes: RecoveryCodes['recovery_codes']) => Promise<void>
}

function SetUp({ started: { secret, qr_code: svg }, onDone }: SetUpProps) {
  const [code, setCode] = useState('')
  const confirm = useAction(async () => {
    const { recovery_codes: codes } = await requestJson<RecoveryCodes>(`${PATH}/confirm`, {
      method: 'POST',
      body: { code },
    })
    await onDone(codes)
  })
  return (
    <form
      class={styles['stack']}
      onSubmit={(event) => {
        event.preventDefault()
        void confirm.run()
      }}
    >
      <p>Scan this code with the app, or type the secret.</p>
      <img
        class={styles['code']}
        alt="QR code for the app"
        src={`data:image/svg+xml,${encodeURIComponent(svg)}`}
      />
      <p class={styles['row']}>
        <span class={styles['secret']}>{secret.replaceAll(/.{4}(?=.)/g, '$& ')}</span>
        <CopyButton text={secret} label="Copy the secret" />
      </p>
      <Input
        label="Code that the app shows"
        value={code}
        onInput={setCode}
        autoComplete="one-time-code"
        error={confirm.error?.message}
        required
      />
      <Button kind="primary" type="submit" isBusy={confirm.isBusy}>
        Turn on
      </Button>
    </form>
  )
}
