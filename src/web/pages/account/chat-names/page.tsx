import { MessagesSquare } from 'lucide'
import { useState } from 'preact/hooks'

import type { ChatName } from '../../../../coordinator/planning/chat-commands/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useReadList } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { LoadMore } from '../../../frame/load-more.js'
import { useLocation } from '../../../frame/location.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { ReadRows } from '../../../frame/problem.js'
import { Button } from '../../../kit/button.js'
import { ConfirmDialog } from '../../../kit/dialog.js'
import { Empty } from '../../../kit/empty.js'
import { PageHeader, Panel, Panels } from '../../../kit/panel.js'
import { Table } from '../../../kit/table.js'
import { Time } from '../../../kit/time.js'
import { ConfirmCode } from './confirm-code.js'

const PATH = '/user/chat_names'

/** The chat accounts that give commands as the user, and the confirmation of another one. */
export function Page() {
  useTitle('Chat accounts')
  const { search } = useLocation()
  const code = new URLSearchParams(search).get('code')
  const { rows, result, next } = useReadList<ChatName>(`${PATH}?per_page=50`)
  const [removed, setRemoved] = useState<ChatName>()
  const remove = useAction(async ({ id }: ChatName) => {
    await requestJson(`${PATH}/${id}`, { method: 'DELETE' })
    setRemoved(undefined)
    notify('The chat account was disconnected')
    await refresh(PATH)
  }, notifyError)
  return (
    <>
      <PageHeader
        title="Chat accounts"
        details="Accounts of chat services that give commands with your permissions."
      />
      <Panels>
        {code !== null && <ConfirmCode code={code} path={PATH} />}
        <Panel isFlush>
          <ReadRows
            of={{ rows, result }}
            outline={2}
            empty={
              <Empty icon={MessagesSquare} title="No chat account is connected.">
                Give a slash command of a project in Slack or Mattermost: the response has the link to connect
                it.
              </Empty>
            }
          >
            <Table<ChatName>
              label="Chat accounts"
              rows={rows}
              keyOf={({ id }) => id}
              columns={[
                {
                  title: 'Chat account',
                  isMain: true,
                  cell: ({ chat_name: name, chat_id: id }) => <strong>{name ?? id}</strong>,
                },
                { title: 'Team', cell: ({ team_domain: name, team_id: id }) => name ?? id },
                {
                  title: 'Service',
                  cell: ({ slug }) => (slug.startsWith('mattermost') ? 'Mattermost' : 'Slack'),
                },
                { title: 'Connected', cell: ({ created_at: value }) => <Time value={value} /> },
                { title: 'Last used', cell: ({ last_used_at: value }) => <Time value={value} /> },
                {
                  title: 'Actions',
                  hidesTitle: true,
                  cell: (row) => (
                    <Button size="small" kind="danger" onClick={() => setRemoved(row)}>
                      Disconnect
                    </Button>
                  ),
                },
              ]}
            />
          </ReadRows>
        </Panel>
        <LoadMore of="chat accounts" next={next} />
      </Panels>
      {removed && (
        <ConfirmDialog
          title={`Disconnect ${removed.chat_name ?? removed.chat_id}?`}
          action="Disconnect"
          isBusy={remove.isBusy}
          onConfirm={() => void remove.run(removed)}
          onClose={() => setRemoved(undefined)}
        >
          <p>It can no longer give commands as you.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
