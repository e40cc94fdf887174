import type { Invitation } from '../../coordinator/accounts/members/schema.js'
import { request } from '../api/client.js'
import { useAction } from '../api/use-action.js'
import { refresh, useReadList } from '../api/use-read.js'
import { LoadMore } from '../frame/load-more.js'
import { notify, notifyError } from '../frame/notices.js'
import { Problem } from '../frame/problem.js'
import { Button } from '../kit/button.js'
import { Panel } from '../kit/panel.js'
import { Table } from '../kit/table.js'
import { Time } from '../kit/time.js'
import styles from './members.module.css'
import { roleName } from './roles.js'

/**
 * Invited addresses that no account has yet. Without any, nothing is shown.
 * @param base path of the project or group in the API
 */
export function Invitations({ base }: { base: string }) {
  const path = `${base}/invitations`
  const { rows, result, next } = useReadList<Invitation>(`${path}?per_page=50`)
  const withdraw = useAction(async (email: string) => {
    await request(`${path}/${encodeURIComponent(email)}`, { method: 'DELETE' })
    notify(`The invitation of ${email} was withdrawn`)
    await refresh(path)
  }, notifyError)
  if (result.error) return <Problem error={result.error} retry={() => void result.refetch()} />
  if (rows.length === 0) return null
  return (
    <Panel isFlush title="Invitations">
      <Table<Invitation>
        label="Invitations"
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Address', isMain: true, cell: ({ invite_email: email }) => <strong>{email}</strong> },
          { title: 'Role', cell: ({ access_level: level }) => roleName(level) },
          {
            title: 'Invited by',
            isDetail: true,
            cell: ({ created_by_name: name }) => name ?? 'a deleted account',
          },
          { title: 'Invited', isDetail: true, cell: ({ created_at: at }) => <Time value={at} /> },
          {
            title: 'Expires',
            cell: ({ expires_at: at }) => <Time value={at} />,
          },
          {
            title: 'Actions',
            hidesTitle: true,
            cell: ({ invite_email: email }) => (
              <span class={styles['actions']}>
                <Button
                  size="small"
                  kind="danger"
                  disabled={withdraw.isBusy}
                  aria-label={`Withdraw the invitation of ${email}`}
                  onClick={() => void withdraw.run(email)}
                >
                  Withdraw
                </Button>
              </span>
            ),
          },
        ]}
      />
      <LoadMore of="invitations" next={next} />
    </Panel>
  )
}
