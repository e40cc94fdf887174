import { useState } from 'preact/hooks'

import type { TwoFactorRecord } from '../../../../coordinator/accounts/two-factor/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useRead } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { Read } from '../../../frame/problem.js'
import { Alert } from '../../../kit/alert.js'
import { Button } from '../../../kit/button.js'
import { ConfirmDialog } from '../../../kit/dialog.js'
import { PageHeader, Panel, Panels } from '../../../kit/panel.js'
import { Time } from '../../../kit/time.js'
import { AppPanel } from './app-panel.js'
import styles from './page.module.css'
import { PasskeyPanel } from './passkey-panel.js'
import { RecoveryCodes } from './recovery-codes.js'

const PATH = '/user/two_factor'

/** The second factors of the user. */
export function Page() {
  useTitle('Two-factor authentication')
  const record = useRead<TwoFactorRecord>(PATH)
  const [codes, setCodes] = useState<readonly string[]>()
  /** `shown`: new recovery codes, if there are some. */
  const changed = async (shown?: readonly string[] | null) => {
    if (shown) setCodes(shown)
    await refresh(PATH)
  }
  return (
    <>
      <PageHeader
        title="Two-factor authentication"
        details="After the password, a sign-in asks for a code of an app on your phone, or for a passkey."
      />
      <Panels>
        {codes && <RecoveryCodes codes={codes} onDone={() => setCodes(undefined)} />}
        <Read of={record}>
          {(factors) => (
            <>
              {factors.required_from !== null && (
                <Alert tone="warning" title="You need a second factor">
                  <p>
                    Set one up before <Time value={factors.required_from} />. From then on you can do nothing
                    else.
                  </p>
                </Alert>
              )}
              <AppPanel isOn={factors.totp_enabled} onChanged={changed} />
              <PasskeyPanel factors={factors} onChanged={changed} />
              {factors.enabled && <OffPanel left={factors.recovery_codes_left} onChanged={changed} />}
            </>
          )}
        </Read>
      </Panels>
    </>
  )
}

interface OffPanelProps {
  left: number
  onChanged: (codes?: readonly string[] | null) => Promise<void>
}

/** Recovery codes, and the button that turns everything off. */
function OffPanel({ left, onChanged }: OffPanelProps) {
  const [isAsking, setAsking] = useState(false)
  const renew = useAction(async () => {
    const path = `${PATH}/recovery_codes`
    const { recovery_codes: codes } = await requestJson<{ recovery_codes: string[] }>(path, {
      method: 'POST',
    })
    await onChanged(codes)
  }, notifyError)
  const turnOff = useAction(async () => {
    await requestJson(PATH, { method: 'DELETE' })
    setAsking(false)
    notify('Two-factor authentication is off')
    await onChanged()
  }, notifyError)
  return (
    <Panel title="Recovery codes">
      <div class={styles['stack']}>
        <p>
          {left} of 10 recovery codes are left. Each replaces the second factor once, when your phone or your
          passkey is not there.
        </p>
        <div class={styles['row']}>
          <Button isBusy={renew.isBusy} onClick={() => void renew.run()}>
            Create new codes
          </Button>
          <Button kind="danger" onClick={() => setAsking(true)}>
            Turn two-factor authentication off
          </Button>
        </div>
      </div>
      {isAsking && (
        <ConfirmDialog
          title="Turn two-factor authentication off?"
          action="Turn off"
          isBusy={turnOff.isBusy}
          onConfirm={() => void turnOff.run()}
          onClose={() => setAsking(false)}
        >
          <p>
            The app, the passkeys and the recovery codes of your account are removed. The password alone signs
            in.
          </p>
        </ConfirmDialog>
      )}
    </Panel>
  )
}
