import { Monitor } from 'lucide'

import type { SessionRecord } from '../../../../coordinator/sessions/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useRead } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { Read } from '../../../frame/problem.js'
import { Badge } from '../../../kit/badge.js'
import { Button } from '../../../kit/button.js'
import { Icon } from '../../../kit/icon.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { Time } from '../../../kit/time.js'
import { browserOf } from '../../../records/browser-name.js'
import { factorName } from '../../../records/factor-names.js'
import { Identities } from './identities.js'
import styles from './page.module.css'

const PATH = '/user/sessions'

/** Where the user is signed in. */
export function Page() {
  useTitle('Sessions')
  const sessions = useRead<SessionRecord[]>(PATH)
  const end = useAction(async (id?: number) => {
    await requestJson(id === undefined ? PATH : `${PATH}/${id}`, { method: 'DELETE' })
    notify(id === undefined ? 'All other sessions have ended' : 'The session has ended')
    await refresh(PATH)
  }, notifyError)
  return (
    <>
      <PageHeader
        title="Sessions"
        details="The browsers in which you are signed in."
        actions={
          (sessions.data?.length ?? 0) > 1 && (
            <Button kind="danger" isBusy={end.isBusy} onClick={() => void end.run()}>
              End all others
            </Button>
          )
        }
      />
      <Panel isFlush>
        <Read of={sessions}>
          {(all) => (
            <ul class={styles['list']}>
              {all.map(
                ({
                  id,
                  current,
                  ip_address: address,
                  user_agent: agent,
                  created_at: created,
                  last_used_at: used,
                  second_factor: factor,
                  provider,
                }) => (
                  <li key={id} class={styles['session']}>
                    <Icon icon={Monitor} size={20} />
                    <div class={styles['text']}>
                      <strong>{browserOf(agent)}</strong>{' '}
                      {current && <Badge tone="success">this browser</Badge>}
                      <p>
                        {address} · signed in <Time value={created} /> · last seen <Time value={used} />
                        {provider && ` · by ${provider}`}
                        {factor && ` · with a ${factorName(factor)}`}
                      </p>
                    </div>
                    {!current && (
                      <Button size="small" isBusy={end.isBusy} onClick={() => void end.run(id)}>
                        End
                      </Button>
                    )}
                  </li>
                ),
              )}
            </ul>
          )}
        </Read>
      </Panel>
      <Identities />
    </>
  )
}
