import { Monitor } from 'lucide'

import type { SessionRecord } from '../../../../coordinator/sessions/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useRead } from '../../../api/use-read.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { Read } from '../../../frame/problem.js'
import { Button } from '../../../kit/button.js'
import { Empty } from '../../../kit/empty.js'
import { Panel } from '../../../kit/panel.js'
import { Table } from '../../../kit/table.js'
import { Time } from '../../../kit/time.js'
import { browserOf } from '../../../records/browser-name.js'
import { factorName } from '../../../records/factor-names.js'

/** Where a user is signed in. */
export function Sessions({ id: user }: { id: number }) {
  const path = `/users/${user}/sessions`
  const sessions = useRead<SessionRecord[]>(path)
  const end = useAction(async (id?: number) => {
    await requestJson(id === undefined ? path : `${path}/${id}`, { method: 'DELETE' })
    notify(id === undefined ? 'All sessions have ended' : 'The session has ended')
    await refresh(path)
  }, notifyError)
  return (
    <Panel
      isFlush
      title="Sessions"
      actions={
        (sessions.data?.length ?? 0) > 0 && (
          <Button size="small" kind="danger" isBusy={end.isBusy} onClick={() => void end.run()}>
            End all
          </Button>
        )
      }
    >
      <Read of={sessions}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty icon={Monitor} title="The user is not signed in." />
          ) : (
            <Table<SessionRecord>
              label="Sessions"
              rows={rows}
              keyOf={({ id }) => id}
              columns={[
                { title: 'Browser', isMain: true, cell: ({ user_agent: agent }) => browserOf(agent) },
                { title: 'Address', cell: ({ ip_address: address }) => address },
                { title: 'Provider', isDetail: true, cell: ({ provider }) => provider ?? 'none' },
                {
                  title: 'Second factor',
                  isDetail: true,
                  cell: ({ second_factor: factor }) => (factor === null ? 'none' : factorName(factor)),
                },
                { title: 'Signed in', isDetail: true, cell: ({ created_at: at }) => <Time value={at} /> },
                { title: 'Last seen', cell: ({ last_used_at: at }) => <Time value={at} /> },
                { title: 'Ends', isDetail: true, cell: ({ expires_at: at }) => <Time value={at} /> },
                {
                  title: 'Actions',
                  hidesTitle: true,
                  cell: ({ id }) => (
                    <Button size="small" isBusy={end.isBusy} onClick={() => void end.run(id)}>
                      End
                    </Button>
                  ),
                },
              ]}
            />
          )
        }
      </Read>
    </Panel>
  )
}
