import { RotateCw, Send } from 'lucide'
import { useState } from 'preact/hooks'

import type { HookDelivery } from '../../coordinator/integrations/webhooks/schema.js'
import { requestJson } from '../api/client.js'
import { useAction } from '../api/use-action.js'
import { refresh, useReadList } from '../api/use-read.js'
import { LoadMore } from '../frame/load-more.js'
import { notify, notifyError } from '../frame/notices.js'
import { ReadRows } from '../frame/problem.js'
import { Badge } from '../kit/badge.js'
import { Button } from '../kit/button.js'
import { CodeBlock } from '../kit/code-block.js'
import { Dialog } from '../kit/dialog.js'
import { formatDuration } from '../kit/durations.js'
import { Empty } from '../kit/empty.js'
import { Select } from '../kit/field.js'
import { Panel } from '../kit/panel.js'
import { Table } from '../kit/table.js'
import { Time } from '../kit/time.js'
import { HOOK_EVENTS } from './hook-events.js'
import styles from './hooks.module.css'

const STATUSES = [
  { value: '', label: 'All deliveries' },
  { value: 'successful', label: 'Delivered' },
  { value: 'client_failure', label: 'Refused by the receiver (4xx)' },
  { value: 'server_failure', label: 'Failed (5xx, or no response)' },
]

/**
 * The last deliveries of a webhook, each with its request and response.
 * @param path of the webhook in the API
 */
export function HookDeliveries({ path, reason }: { path: string; reason: string | undefined }) {
  const [status, setStatus] = useState('')
  const [shown, setShown] = useState<HookDelivery>()
  const filter = status === '' ? '' : `&status=${status}`
  const { rows, result, next } = useReadList<HookDelivery>(`${path}/events?per_page=20${filter}`, {
    keepsPrevious: true,
  })
  const resend = useAction(async (id: number) => {
    try {
      const { response_status: response } = await requestJson<{ response_status: number }>(
        `${path}/events/${id}/resend`,
        { method: 'POST' },
      )
      notify(`The receiver responded with ${response}`)
    } finally {
      await refresh(path)
    }
  }, notifyError)
  return (
    <Panel
      isFlush
      title="Recent deliveries"
      actions={
        <Select hidesLabel label="Show deliveries" value={status} onInput={setStatus} choices={STATUSES} />
      }
    >
      <ReadRows
        of={{ rows, result }}
        outline={3}
        empty={
          <Empty icon={Send} title={status === '' ? 'Nothing was sent yet.' : 'There is no such delivery.'}>
            Each event that is sent appears here for a few days, with its request and the response.
          </Empty>
        }
      >
        <Table<HookDelivery>
          label="Deliveries"
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            {
              title: 'Response',
              isMain: true,
              cell: ({ response_status: response }) => <StatusBadge status={response} />,
            },
            { title: 'Event', cell: ({ trigger }) => eventLabel(trigger) },
            {
              title: 'Took',
              isDetail: true,
              isNumber: true,
              cell: ({ execution_duration: seconds }) =>
                seconds < 1 ? `${Math.round(seconds * 1000)} ms` : formatDuration(seconds),
            },
            { title: 'Sent', cell: ({ created_at: at }) => <Time value={at} /> },
            {
              title: 'Actions',
              hidesTitle: true,
              cell: (delivery) => (
                <span class={styles['actions']}>
                  <Button size="small" onClick={() => setShown(delivery)}>
                    Details
                  </Button>
                  <Button
                    size="small"
                    icon={RotateCw}
                    reason={reason}
                    isBusy={resend.isBusy}
                    onClick={() => void resend.run(delivery.id)}
                  >
                    Resend
                  </Button>
                </span>
              ),
            },
          ]}
        />
      </ReadRows>
      <LoadMore of="deliveries" next={next} />
      {shown && <DeliveryDialog delivery={shown} onClose={() => setShown(undefined)} />}
    </Panel>
  )
}

function StatusBadge({ status }: { status: string }) {
  return <Badge tone={status.startsWith('2') ? 'success' : 'failed'}>{status}</Badge>
}

function DeliveryDialog({ delivery, onClose }: { delivery: HookDelivery; onClose: () => void }) {
  return (
    <Dialog title={`Delivery ${delivery.id}`} onClose={onClose}>
      <p class={styles['badges']}>
        <StatusBadge status={delivery.response_status} />
        {eventLabel(delivery.trigger)} to <span class={styles['address']}>{delivery.url}</span>
      </p>
      <h3>Request</h3>
      <CodeBlock label="headers of the request" text={headerLines(delivery.request_headers)} />
      <CodeBlock label="body of the request" text={JSON.stringify(delivery.request_data, null, 2)} />
      <h3>Response</h3>
      {Object.keys(delivery.response_headers).length > 0 && (
        <CodeBlock label="headers of the response" text={headerLines(delivery.response_headers)} />
      )}
      <CodeBlock label="body of the response" text={delivery.response_body ?? ''} />
    </Dialog>
  )
}

function headerLines(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

/** Deliveries name an event as `push_hooks`, webhooks as `push_events`. */
function eventLabel(trigger: string): string {
  const event = trigger.replace(/_hooks$/, '_events')
  return HOOK_EVENTS.find((one) => one.event === event)?.label ?? trigger
}
