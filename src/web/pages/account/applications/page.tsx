import { AppWindow } from 'lucide'
import { useState } from 'preact/hooks'

import type { AuthorizedApplication } from '../../../../coordinator/accounts/applications/authorized-schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useRead } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { Read } from '../../../frame/problem.js'
import { Badge } from '../../../kit/badge.js'
import { Button } from '../../../kit/button.js'
import { ConfirmDialog } from '../../../kit/dialog.js'
import { Empty } from '../../../kit/empty.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { Table } from '../../../kit/table.js'
import { Time } from '../../../kit/time.js'
import styles from './page.module.css'

const PATH = '/user/authorized_applications'

/** The applications that act for the user, and what ends that. */
export function Page() {
  useTitle('Authorized applications')
  const applications = useRead<AuthorizedApplication[]>(PATH)
  const [revoked, setRevoked] = useState<AuthorizedApplication>()
  const revoke = useAction(async (id: number) => {
    await requestJson(`${PATH}/${id}`, { method: 'DELETE' })
    setRevoked(undefined)
    notify('The access was revoked')
    await refresh(PATH)
  }, notifyError)
  return (
    <>
      <PageHeader
        title="Authorized applications"
        details="Programs that you have allowed to sign you in or to act for you."
      />
      <Panel isFlush>
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
                    cell: ({ scopes }) => (
                      <span class={styles['scopes']}>
                        {scopes.map((scope) => (
                          <Badge key={scope}>{scope}</Badge>
                        ))}
                      </span>
                    ),
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
