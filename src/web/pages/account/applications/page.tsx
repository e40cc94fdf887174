import { AppWindow, Plus } from 'lucide'
import { useState } from 'preact/hooks'

import type { AuthorizedApplication } from '../../../../coordinator/accounts/applications/authorized-schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useRead } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { Read } from '../../../frame/problem.js'
import { Button } from '../../../kit/button.js'
import { ConfirmDialog } from '../../../kit/dialog.js'
import { Empty } from '../../../kit/empty.js'
import { PageHeader, Panel, Panels } from '../../../kit/panel.js'
import { Table } from '../../../kit/table.js'
import { Time } from '../../../kit/time.js'
import { Applications } from '../../../records/applications.js'
import { Scopes } from '../../../records/scopes.js'

const AUTHORIZED = '/user/authorized_applications'

/** The applications that the user has registered, and those that act for the user. */
export function Page() {
  useTitle('Applications')
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <PageHeader
        title="Applications"
        details="Programs that sign users in with their accounts here, or act for them (OAuth 2 and OpenID Connect)."
      />
      <Panels>
        <Panel
          title="Your applications"
          isFlush
          actions={
            <Button size="small" icon={Plus} onClick={() => setAdding(true)}>
              New application
            </Button>
          }
        >
          <Applications
            path="/user/applications"
            label="Your applications"
            empty="You have not registered an application."
            isAdding={isAdding}
            onAdded={() => setAdding(false)}
          />
        </Panel>
        <Authorized />
      </Panels>
    </>
  )
}

/** The applications that act for the user, and what ends that. */
function Authorized() {
  const applications = useRead<AuthorizedApplication[]>(AUTHORIZED)
  const [revoked, setRevoked] = useState<AuthorizedApplication>()
  const revoke = useAction(async (id: number) => {
    await requestJson(`${AUTHORIZED}/${id}`, { method: 'DELETE' })
    setRevoked(undefined)
    notify('The access was revoked')
    await refresh(AUTHORIZED)
  }, notifyError)
  return (
    <>
      <Panel title="Authorized applications" isFlush>
        <Read of={applications}>
          {(all) =>
            all.length === 0 ? (
              <Empty icon={AppWindow} title="No application has access to your account." />
            ) : (
              <Table<AuthorizedApplication>
                label="Authorized applications"
                rows={all}
                keyOf={({ id }) => id}
                columns={[
                  {
                    title: 'Application',
                    isMain: true,
                    cell: ({ application_name: name }) => <strong>{name}</strong>,
                  },
                  {
                    title: 'Scopes',
                    isDetail: true,
                    cell: ({ scopes }) => <Scopes of={scopes} />,
                  },
                  { title: 'Authorized', cell: ({ authorized_at: value }) => <Time value={value} /> },
                  { title: 'Latest token', cell: ({ token_issued_at: value }) => <Time value={value} /> },
                  {
                    title: 'Actions',
                    hidesTitle: true,
                    cell: (application) => (
                      <Button size="small" kind="danger" onClick={() => setRevoked(application)}>
                        Revoke
                      </Button>
                    ),
                  },
                ]}
              />
            )
          }
        </Read>
      </Panel>
      {revoked && (
        <ConfirmDialog
          title={`Revoke the access of ${revoked.application_name}?`}
          action="Revoke access"
          isBusy={revoke.isBusy}
          onConfirm={() => void revoke.run(revoked.id)}
          onClose={() => setRevoked(undefined)}
        >
          <p>Its tokens become invalid at once. It has to ask you again.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
