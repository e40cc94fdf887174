import { addressOf } from '../../../../addresses/address-of.js'
import type { ChatNameRequest } from '../../../../coordinator/planning/chat-commands/schema.js'
import { boot } from '../../../api/boot.js'
import { RequestError, requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useRead } from '../../../api/use-read.js'
import { navigate } from '../../../frame/location.js'
import { notify } from '../../../frame/notices.js'
import { Read } from '../../../frame/problem.js'
import { Alert } from '../../../kit/alert.js'
import { Button } from '../../../kit/button.js'
import { Panel } from '../../../kit/panel.js'
import { Time } from '../../../kit/time.js'
import styles from './page.module.css'

interface ConfirmCodeProps {
  code: string
  /** Path of the chat accounts in the API. */
  path: string
}

/** Shows who asks to give commands as the user, and connects that account. */
export function ConfirmCode({ code, path }: ConfirmCodeProps) {
  const request = useRead<ChatNameRequest>(`${path}/request?code=${encodeURIComponent(code)}`)
  const leave = () => navigate(addressOf('account/chat-names', {}), { replaces: true })
  const connect = useAction(async () => {
    await requestJson(path, { method: 'POST', body: { code } })
    notify('The chat account is connected')
    leave()
    await refresh(`${path}?`)
  })
  if (request.error instanceof RequestError && request.error.status === 404) {
    return (
      <Alert tone="warning" title="This link is no longer valid.">
        It is valid for 10 minutes, and once. Give the command again to get another one.
      </Alert>
    )
  }
  return (
    <Panel title="Connect a chat account?">
      <Read of={request}>
        {(asked) => (
          <>
            {connect.error && <Alert tone="error" title={connect.error.message} />}
            <dl class={styles['facts']}>
              <dt>Chat account</dt>
              <dd>
                <strong>{asked.chat_name ?? asked.chat_id}</strong>
                {asked.chat_name !== null && <span class={styles['quiet']}> {asked.chat_id}</span>}
              </dd>
              <dt>Team</dt>
              <dd>
                {asked.team_domain ?? asked.team_id}
                {asked.team_domain !== null && <span class={styles['quiet']}> {asked.team_id}</span>}
              </dd>
              <dt>Integration</dt>
              <dd>
                {asked.title}
                {asked.project_path !== null && (
                  <>
                    {' of '}
                    <a class={styles['project']} href={`/${asked.project_path}`}>
                      {asked.project_path}
                    </a>
                  </>
                )}
              </dd>
              <dt>Valid until</dt>
              <dd>
                <Time value={asked.expires_at} />
              </dd>
            </dl>
            <p>
              It will create issues, run pipelines and deploy as <strong>{boot.user?.name}</strong>, with your
              permissions. Connect it only if it is yours, and you have asked for this link in the chat.
            </p>
            <div class={styles['buttons']}>
              <Button kind="primary" isBusy={connect.isBusy} onClick={() => void connect.run()}>
                Connect
              </Button>
              <Button onClick={leave}>Cancel</Button>
            </div>
          </>
        )}
      </Read>
    </Panel>
  )
}
