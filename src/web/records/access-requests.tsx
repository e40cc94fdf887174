import { useState } from 'preact/hooks'

import type { AccessRequest } from '../../coordinator/accounts/members/schema.js'
import { requestJson } from '../api/client.js'
import { useAction } from '../api/use-action.js'
import { refresh, useReadList } from '../api/use-read.js'
import { LoadMore } from '../frame/load-more.js'
import { notify, notifyError } from '../frame/notices.js'
import { Problem } from '../frame/problem.js'
import { Button } from '../kit/button.js'
import { Select } from '../kit/field.js'
import { Panel } from '../kit/panel.js'
import { Table } from '../kit/table.js'
import { Time } from '../kit/time.js'
import styles from './members.module.css'
import type { ROLES } from './roles.js'
import { UserLink } from './user-link.js'

interface AccessRequestsProps {
  /** Path of the project or group in the API. */
  base: string
  reason: string | undefined
  /** The roles that the user may give. */
  roles: typeof ROLES
}

/** The users who ask for access. Without any, nothing is shown. */
export function AccessRequests({ base, reason, roles }: AccessRequestsProps) {
  const path = `${base}/access_requests`
  const { rows, result, next } = useReadList<AccessRequest>(`${path}?per_page=50`)
  const [chosen, setChosen] = useState<Readonly<Record<number, string>>>({})
  const reread = () => refresh(path, `${base}/member`)
  const approve = useAction(async ({ id, name }: AccessRequest) => {
    const body = { access_level: Number(chosen[id] ?? '30') }
    await requestJson(`${path}/${id}/approve`, { method: 'PUT', body })
    notify(`${name} is a member`)
    await reread()
  }, notifyError)
  const deny = useAction(async ({ id, name }: AccessRequest) => {
    await requestJson(`${path}/${id}`, { method: 'DELETE' })
    notify(`The request of ${name} was denied`)
    await reread()
  }, notifyError)
  if (result.error) return <Problem error={result.error} retry={() => void result.refetch()} />
  if (rows.length === 0) return null
  const isBusy = approve.isBusy || deny.isBusy
  return (
    <Panel isFlush title="Access requests">
      <Table<AccessRequest>
        label="Access requests"
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          { title: 'User', isMain: true, cell: (user) => <UserLink user={user} size={28} /> },
          { title: 'Requested', cell: ({ requested_at: at }) => <Time value={at} /> },
          {
            title: 'Role',
            cell: ({ id, name }) => (
              <Select
                label={`Role for ${name}`}
                hidesLabel
                value={chosen[id] ?? '30'}
                onInput={(role) => setChosen({ ...chosen, [id]: role })}
                choices={roles}
              />
            ),
          },
          {
            title: 'Actions',
            hidesTitle: true,
            cell: (asked) => (
              <span class={styles['actions']}>
                <Button
                  size="small"
                  kind="primary"
                  reason={reason}
                  disabled={isBusy}
                  onClick={() => void approve.run(asked)}
                >
                  Approve
                </Button>
                <Button size="small" kind="danger" disabled={isBusy} onClick={() => void deny.run(asked)}>
                  Deny
                </Button>
              </span>
            ),
          },
        ]}
      />
      <LoadMore of="requests" next={next} />
    </Panel>
  )
}
