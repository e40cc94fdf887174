import { FlaskConical, Trash2 } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

import { requestJson } from '../api/client.js'
import { useAction } from '../api/use-action.js'
import { patch, refresh, useRead } from '../api/use-read.js'
import { navigate } from '../frame/location.js'
import { notify, notifyError } from '../frame/notices.js'
import { Read } from '../frame/problem.js'
import { Alert } from '../kit/alert.js'
import { Button } from '../kit/button.js'
import { ConfirmDialog } from '../kit/dialog.js'
import { Menu, MenuItem } from '../kit/menu.js'
import { PageHeader, Panel, Panels } from '../kit/panel.js'
import { Time } from '../kit/time.js'
import { HookDeliveries } from './hook-deliveries.js'
import { type AnyHook, eventsOf, type HookEvent, type HookKind } from './hook-events.js'
import { HookForm } from './hook-form.js'
import { HookState } from './hooks.js'
import styles from './hooks.module.css'

interface HookDetailsProps {
  kind: HookKind
  /** Path of the webhooks in the API, such as `/projects/5/hooks`. */
  path: string
  id: string
  /** Address of the page that lists the webhooks. */
  listAddress: string
  /** Links to the pages beside this one. */
  tabs?: ComponentChildren
  /** Why the webhook cannot be changed now. */
  reason?: string | undefined
}

/** One webhook: state, tests, settings, and its last deliveries. */
export function HookDetails(props: HookDetailsProps) {
  const hook = useRead<AnyHook>(`${props.path}/${props.id}`)
  return (
    <Read of={hook} title="Webhook">
      {(found) => <FoundHook key={found.id} {...props} hook={found} />}
    </Read>
  )
}

function FoundHook(props: HookDetailsProps & { hook: AnyHook }) {
  const { kind, path, listAddress, tabs, reason, hook } = props
  const single = `${path}/${hook.id}`
  const [isDeleting, setDeleting] = useState(false)
  const test = useAction(async (event?: HookEvent) => {
    try {
      await requestJson(event ? `${single}/test/${event}` : single, { method: 'POST' })
      notify('The test event was delivered')
    } finally {
      await refresh(single)
    }
  }, notifyError)
  const remove = useAction(async () => {
    await requestJson(single, { method: 'DELETE' })
    notify('The webhook was deleted')
    navigate(listAddress)
    await refresh(`${path}?`)
  }, notifyError)
  return (
    <>
      <PageHeader
        title={hook.name ?? 'Webhook'}
        details={
          <span class={styles['badges']}>
            <HookState hook={hook} />
            <span class={styles['address']}>{hook.url}</span>
            <span>
              added <Time value={hook.created_at} />
            </span>
          </span>
        }
        actions={
          <>
            {kind === 'system' ? (
              <Button
                icon={FlaskConical}
                reason={reason}
                isBusy={test.isBusy}
                onClick={() => void test.run()}
              >
                Send a test
              </Button>
            ) : (
              <Menu label="Send a test" icon={FlaskConical}>
                {eventsOf(kind).map(({ event, label }) => (
                  <MenuItem key={event} isChange reason={reason} onSelect={() => void test.run(event)}>
                    {label}
                  </MenuItem>
                ))}
              </Menu>
            )}
            <Button kind="danger" icon={Trash2} reason={reason} onClick={() => setDeleting(true)}>
              Delete
            </Button>
          </>
        }
      />
      {tabs}
      <Panels>
        {hook.alert_status !== 'executable' && (
          <Alert tone="warning" title="Deliveries failed, so this webhook gets no events at the moment.">
            {hook.alert_status === 'disabled' ? (
              'A successful test, or a change of its settings, enables it again.'
            ) : (
              <>
                It is enabled again <Time value={hook.disabled_until} />, or by a successful test.
              </>
            )}
          </Alert>
        )}
        {kind !== 'system' && <HookDeliveries path={single} reason={reason} />}
        <Panel title="Settings">
          <HookForm
            kind={kind}
            path={path}
            hook={hook}
            reason={reason}
            onSaved={async (saved) => {
              patch<AnyHook>(single, () => saved)
              notify('The webhook was changed')
              await refresh(path)
            }}
          />
        </Panel>
      </Panels>
      {isDeleting && (
        <ConfirmDialog
          title="Delete this webhook?"
          action="Delete webhook"
          isBusy={remove.isBusy}
          onConfirm={() => void remove.run()}
          onClose={() => setDeleting(false)}
        >
          <p>Deliveries that wait are not sent. This cannot be undone.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
