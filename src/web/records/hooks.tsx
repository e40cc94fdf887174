import { Plus, Webhook } from 'lucide'
import { useState } from 'preact/hooks'

import { refresh, useReadList } from '../api/use-read.js'
import { LoadMore } from '../frame/load-more.js'
import { navigate } from '../frame/location.js'
import { notify } from '../frame/notices.js'
import { ReadRows } from '../frame/problem.js'
import { Badge } from '../kit/badge.js'
import { Button } from '../kit/button.js'
import { Empty } from '../kit/empty.js'
import { Panel, Panels } from '../kit/panel.js'
import { Table } from '../kit/table.js'
import { Time } from '../kit/time.js'
import { type AnyHook, chosenEvents, type HookKind } from './hook-events.js'
import { HookForm } from './hook-form.js'
import styles from './hooks.module.css'

export interface HooksProps {
  kind: HookKind
  /** Path of the webhooks in the API, such as `/projects/5/hooks`. */
  path: string
  /** Address of the page of a webhook. */
  addressOfHook: (id: number) => string
  /** Why webhooks cannot be changed now. */
  reason?: string | undefined
}

/** Webhooks: a list, and the form that adds one. */
export function Hooks({ kind, path, addressOfHook, reason }: HooksProps) {
  const { rows, result, next } = useReadList<AnyHook>(`${path}?per_page=50`)
  const [isAdding, setAdding] = useState(false)
  return (
    <Panels>
      {isAdding && (
        <Panel title="New webhook">
          <HookForm
            kind={kind}
            path={path}
            onSaved={async ({ id }) => {
              await refresh(path)
              notify('The webhook was added')
              navigate(addressOfHook(id))
            }}
            onCancel={() => setAdding(false)}
          />
        </Panel>
      )}
      <Panel
        isFlush
        title="Webhooks"
        actions={
          !isAdding && (
            <Button kind="primary" size="small" icon={Plus} reason={reason} onClick={() => setAdding(true)}>
              Add webhook
            </Button>
          )
        }
      >
        <ReadRows
          of={{ rows, result }}
          outline={3}
          empty={
            <Empty icon={Webhook} title="There is no webhook yet.">
              A webhook sends events to another system, as a request with JSON.
            </Empty>
          }
        >
          <Table<AnyHook>
            label="Webhooks"
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              {
                title: 'Webhook',
                isMain: true,
                cell: ({ id, name, url, description }) => (
                  <>
                    <a href={addressOfHook(id)} class={styles['url']} data-entry="">
                      {name ?? url}
                    </a>
                    {name !== null && <div class={styles['quiet']}>{url}</div>}
                    {description !== null && <div class={styles['quiet']}>{description}</div>}
                  </>
                ),
              },
              {
                title: 'Events',
                isDetail: true,
                cell: (hook) => (
                  <span class={styles['badges']}>
                    {chosenEvents(hook, kind).map((label) => (
                      <Badge key={label}>{label}</Badge>
                    ))}
                  </span>
                ),
              },
              { title: 'State', cell: (hook) => <HookState hook={hook} /> },
            ]}
          />
        </ReadRows>
      </Panel>
      <LoadMore of="webhooks" next={next} />
    </Panels>
  )
}

/** Whether events are sent, and when they are sent again. */
export function HookState({ hook: { alert_status: status, disabled_until: until } }: { hook: AnyHook }) {
  if (status === 'executable') return <Badge tone="success">active</Badge>
  if (status === 'disabled') {
    return (
      <span class={styles['badges']}>
        <Badge tone="failed">disabled</Badge>
        <span class={styles['quiet']}>its receiver failed too often; a successful test enables it</span>
      </span>
    )
  }
  return (
    <span class={styles['badges']}>
      <Badge tone="warning">paused</Badge>
      <span class={styles['quiet']}>
        its receiver failed; resumes <Time value={until} />
      </span>
    </span>
  )
}
