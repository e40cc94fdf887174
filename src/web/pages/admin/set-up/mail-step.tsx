import { useState } from 'preact/hooks'

import { boot } from '../../../api/boot.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh } from '../../../api/use-read.js'
import { ActionForm } from '../../../kit/action-form.js'
import { Alert } from '../../../kit/alert.js'
import { Button } from '../../../kit/button.js'
import { CodeBlock } from '../../../kit/code-block.js'
import { Input } from '../../../kit/field.js'
import styles from './page.module.css'

const SETTINGS = `[mail]
url = "smtps://user:password@mail.example.com"
from = "Switchyard <switchyard@example.com>"`

/** Shows how to set a mail server, or sends a test. */
export function MailStep({ sendsMails }: { sendsMails: boolean }) {
  const [to, setTo] = useState('')
  const [sentTo, setSentTo] = useState<string>()
  const send = useAction(async () => {
    setSentTo(undefined)
    const body = { to }
    const sent = await requestJson<{ to: string }>('/admin/set_up/test_mail', { method: 'POST', body })
    setSentTo(sent.to)
    await refresh('/admin/set_up')
  })
  if (!sendsMails) {
    return (
      <>
        <p>
          Set a server in <code>coordinator.toml</code>, restart the coordinator, and send a test here:
        </p>
        <CodeBlock label="settings of the mail server" text={SETTINGS} />
      </>
    )
  }
  return (
    <>
      <ActionForm action={send} class={styles['row']}>
        <Input
          label="Send a test to"
          type="email"
          value={to}
          onInput={setTo}
          placeholder={`you@${new URL(boot.external_url).hostname}`}
          required
        />
        <Button type="submit" isBusy={send.isBusy}>
          Send
        </Button>
      </ActionForm>
      {sentTo !== undefined && <Alert title={`The mail server has taken a test to ${sentTo}.`} />}
    </>
  )
}
