import { AppWindow } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

import type { AuthorizedApplication } from '../../coordinator/accounts/applications/authorized-schema.js'
import { requestJson } from '../api/client.js'
import { useAction } from '../api/use-action.js'
import { refresh, useRead } from '../api/use-read.js'
import { notify, notifyError } from '../frame/notices.js'
import { Read } from '../frame/problem.js'
import { Button } from '../kit/button.js'
import { ConfirmDialog } from '../kit/dialog.js'
import { Empty } from '../kit/empty.js'
import { Panel } from '../kit/panel.js'
import { Table } from '../kit/table.js'
import { Time } from '../kit/time.js'
import { Scopes } from './scopes.js'

interface AuthorizedApplicationsProps {
  /** The list in the API. Below it are the single applications. */
  path: string
  /** Title of the empty list. */
  empty: string
  /** What follows from a revocation, beside that the tokens become invalid. */
  children: ComponentChildren
}

/** The applications that act for a user, and what ends that. */
export function AuthorizedApplications({ path, empty, children }: AuthorizedApplicationsProps) {
  const applications = useRead<AuthorizedApplication[]>(path)
  const [revoked, setRevoked] = useState<AuthorizedApplication>()
  const revoke = useAction(async (id: number) => {
    await requestJson(`${path}/${id}`, { method: 'DELETE' })
    setRevoked(undefined)
    notify('The access was revoked')
    await refresh(path)
  }, notifyError)
  return (
    <>
      <Panel title="Authorized applications" isFlush>
        <Read of={applications}>
          {(all) =>
            all.length === 0 ? (
              <Empty icon={AppWindow} title={empty} />
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
                  {
                    title: 'Projects',
                    isDetail: true,
                    cell: ({ projects }) => <LimitedTo projects={projects} />,
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
          <p>Its tokens become invalid at once. {children}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** The projects that the access of an application is limited to. */
function LimitedTo({ projects }: Pick<AuthorizedApplication, 'projects'>) {
  if (!projects) return <>All</>
  const paths = projects.flatMap(({ path_with_namespace: path }) => path ?? [])
  const hidden = projects.length - paths.length
  return (
    <>
      {paths.map((path) => (
        <div key={path}>
          <a href={`/${path}`}>{path}</a>
        </div>
      ))}
      {hidden > 0 && <div>{`${hidden} deleted or hidden`}</div>}
      {projects.length === 0 && 'None'}
    </>
  )
}
