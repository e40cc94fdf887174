import { KeyRound } from 'lucide'
import { useRef } from 'preact/hooks'

import type { OwnIdentity } from '../../../../coordinator/sessions/providers/schema.js'
import { boot } from '../../../api/boot.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useRead } from '../../../api/use-read.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { Read } from '../../../frame/problem.js'
import { Button } from '../../../kit/button.js'
import { Icon } from '../../../kit/icon.js'
import { Panel } from '../../../kit/panel.js'
import styles from './page.module.css'

const PATH = '/user/identities'

/** The identity providers by which the user signs in; nothing if there are none. */
export function Identities() {
  const identities = useRead<OwnIdentity[]>(PATH)
  const { data = [], error } = identities
  if (data.length === 0 && !error) return null
  return (
    <Panel title="Sign-in" isFlush class={styles['identities']}>
      <Read of={identities}>
        {(all) => (
          <ul class={styles['list']}>
            {all.map((identity) => (
              <IdentityRow key={identity.provider} {...identity} />
            ))}
          </ul>
        )}
      </Read>
    </Panel>
  )
}

function IdentityRow({ provider, label, extern_uid: externUid }: OwnIdentity) {
  const form = useRef<HTMLFormElement>(null)
  const link = useAction(async () => {
    await requestJson(`${PATH}/${provider}/link`, { method: 'POST' })
    form.current?.submit()
  }, notifyError)
  const unlink = useAction(async () => {
    await requestJson(`${PATH}/${provider}`, { method: 'DELETE' })
    notify(`Your account is no longer linked to ${label}`)
    await refresh(PATH)
  }, notifyError)
  const isLinked = externUid !== null
  return (
    <li class={styles['session']}>
      <Icon icon={KeyRound} size={20} />
      <div class={styles['text']}>
        <strong>{label}</strong>
        <p>{isLinked ? `linked as ${externUid}` : 'not linked'}</p>
      </div>
      <form ref={form} method="post" action={`/users/auth/${provider}`} class={styles['provider']}>
        <input type="hidden" name="authenticity_token" value={boot.csrf_token ?? ''} />
        <input type="hidden" name="purpose" value={isLinked ? 'confirm' : 'link'} />
        {isLinked ? (
          <>
            <Button size="small" type="submit">
              Confirm this session
            </Button>
            <Button size="small" isBusy={unlink.isBusy} onClick={() => void unlink.run()}>
              Unlink
            </Button>
          </>
        ) : (
          <Button size="small" isBusy={link.isBusy} onClick={() => void link.run()}>
            Link
          </Button>
        )}
      </form>
    </li>
  )
}
