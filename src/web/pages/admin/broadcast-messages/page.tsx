import { Megaphone, Pencil, Plus, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'

import type { BroadcastMessage } from '../../../../coordinator/instance/broadcast-messages/schema.js'
import { request } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useReadList } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { LoadMore } from '../../../frame/load-more.js'
import { notifyError } from '../../../frame/notices.js'
import { ReadRows } from '../../../frame/problem.js'
import { Badge } from '../../../kit/badge.js'
import { Button, IconButton } from '../../../kit/button.js'
import { ConfirmDialog } from '../../../kit/dialog.js'
import { Empty } from '../../../kit/empty.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { Time } from '../../../kit/time.js'
import { roleName } from '../../../records/roles.js'
import { MessageDialog } from './message-dialog.js'
import { MessagePreview } from './message-preview.js'
import styles from './page.module.css'

const PATH = '/broadcast_messages'

type Open = { kind: 'new' } | { kind: 'edit' | 'delete'; message: BroadcastMessage }

/** Messages of administrators on the pages. */
export function Page() {
  useTitle('Messages')
  const list = useReadList<BroadcastMessage>(`${PATH}?per_page=20`)
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const reload = () => void refresh(PATH)
  const deleting = useAction(async (id: number) => {
    await request(`${PATH}/${id}`, { method: 'DELETE' })
    close()
    reload()
  }, notifyError)
  return (
    <>
      <PageHeader
        title="Messages"
        details="Shown on the pages of everybody, or of some, for a time. Open pages show them when they are loaded again."
        actions={
          <Button kind="primary" icon={Plus} onClick={() => setOpen({ kind: 'new' })}>
            New message
          </Button>
        }
      />
      <Panel isFlush>
        <ReadRows of={list} outline={4} empty={<Empty icon={Megaphone} title="There is no message yet." />}>
          <ul class={styles['rows']} aria-label="Messages">
            {list.rows.map((message) => (
              <li key={message.id} class={styles['row']}>
                <MessagePreview
                  text={message.message}
                  colors={{ background: message.color, text: message.font }}
                />
                <Facts message={message} />
                <div class={styles['actions']}>
                  <IconButton
                    icon={Pencil}
                    label={`Edit message ${message.id}`}
                    onClick={() => setOpen({ kind: 'edit', message })}
                  />
                  <IconButton
                    icon={Trash2}
                    label={`Delete message ${message.id}`}
                    onClick={() => setOpen({ kind: 'delete', message })}
                  />
                </div>
              </li>
            ))}
          </ul>
        </ReadRows>
      </Panel>
      <LoadMore of="messages" next={list.next} />
      {(open?.kind === 'new' || open?.kind === 'edit') && (
        <MessageDialog
          message={open.kind === 'edit' ? open.message : undefined}
          onClose={close}
          onSaved={reload}
        />
      )}
      {open?.kind === 'delete' && (
        <ConfirmDialog
          title="Delete this message?"
          action="Delete"
          isBusy={deleting.isBusy}
          onConfirm={() => void deleting.run(open.message.id)}
          onClose={close}
        >
          <p>It disappears from all pages. This cannot be undone.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

function Facts({ message }: { message: BroadcastMessage }) {
  const { active, starts_at: start, ends_at: end, broadcast_type: kind, target_path: path } = message
  const isUpcoming = Date.parse(start) > Date.now()
  const levels = message.target_access_levels.map(roleName)
  return (
    <div class={styles['facts']}>
      {active ? <Badge tone="success">Shown now</Badge> : <Badge>{isUpcoming ? 'Upcoming' : 'Ended'}</Badge>}
      <span>
        <Time value={start} /> – <Time value={end} />
      </span>
      <span>{kind === 'banner' ? 'Banner' : 'Notification'}</span>
      {path !== '' && <code>{path}</code>}
      {levels.length > 0 && <span>{levels.join(', ')}</span>}
      {!message.dismissable && kind === 'banner' && <span>cannot be closed</span>}
    </div>
  )
}
