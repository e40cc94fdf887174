import type { QueryObserverResult } from '@tanstack/query-core'
import { Plus } from 'lucide'
import { useState } from 'preact/hooks'

import type { Email } from '../../../../coordinator/accounts/users/emails/schema.js'
import type { FullUser } from '../../../../coordinator/accounts/users/record/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh } from '../../../api/use-read.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { Read } from '../../../frame/problem.js'
import { Badge } from '../../../kit/badge.js'
import { Button } from '../../../kit/button.js'
import { ConfirmDialog } from '../../../kit/dialog.js'
import { Input } from '../../../kit/field.js'
import { FormDialog } from '../../../kit/form-dialog.js'
import { Panel } from '../../../kit/panel.js'
import { Table } from '../../../kit/table.js'
import styles from './page.module.css'

interface EmailAddressesProps {
  /** Path of the addresses in the API. */
  path: string
  user: FullUser
  emails: QueryObserverResult<Email[]>
}

interface Row {
  /** Undefined for the primary address. */
  id: number | undefined
  email: string
  isConfirmed: boolean
}

/** The addresses of the user: the primary one, and others that commits may have. */
export function EmailAddresses({ path, user, emails }: EmailAddressesProps) {
  const [isAdding, setAdding] = useState(false)
  const [deleted, setDeleted] = useState<Row>()
  const remove = useAction(async ({ id }: Row) => {
    await requestJson(`${path}/${id ?? 0}`, { method: 'DELETE' })
    setDeleted(undefined)
    notify('The address was deleted')
    await refresh('/user', '/notification_settings')
  }, notifyError)
  const primary = { id: undefined, email: user.email, isConfirmed: user.confirmed_at !== null }
  return (
    <Panel
      isFlush
      title="E-mail addresses"
      actions={
        <Button size="small" icon={Plus} onClick={() => setAdding(true)}>
          Add address
        </Button>
      }
    >
      <Read of={emails}>
        {(others) => (
          <Table<Row>
            label="E-mail addresses"
            rows={[
              primary,
              ...others.map(({ id, email, confirmed_at: time }) => ({
                id,
                email,
                isConfirmed: time !== null,
              })),
            ]}
            keyOf={({ id }) => id ?? 0}
            columns={[
              {
                title: 'Address',
                isMain: true,
                cell: ({ id, email }) => (
                  <span class={styles['address']}>
                    {email}
                    {id === undefined && <Badge tone="accent">primary</Badge>}
                  </span>
                ),
              },
              {
                title: 'State',
                cell: ({ isConfirmed }) =>
                  isConfirmed ? (
                    <Badge tone="success">confirmed</Badge>
                  ) : (
                    <Badge tone="warning" title="The link is in the mail to this address.">
                      not confirmed
                    </Badge>
                  ),
              },
              {
                title: 'Actions',
                hidesTitle: true,
                cell: (row) =>
                  row.id !== undefined && (
                    <Button size="small" kind="danger" onClick={() => setDeleted(row)}>
                      Delete
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Read>
      {isAdding && <NewAddress path={path} onClose={() => setAdding(false)} />}
      {deleted && (
        <ConfirmDialog
          title={`Delete ${deleted.email}?`}
          action="Delete address"
          isBusy={remove.isBusy}
          onConfirm={() => void remove.run(deleted)}
          onClose={() => setDeleted(undefined)}
        >
          <p>Commits with this address are no longer linked to you.</p>
        </ConfirmDialog>
      )}
    </Panel>
  )
}

function NewAddress({ path, onClose }: { path: string; onClose: () => void }) {
  const [email, setEmail] = useState('')
  const add = useAction(async () => {
    await requestJson(path, { method: 'POST', body: { email } })
    notify(`A mail to ${email} has the link that confirms it`)
    await refresh(path)
    onClose()
  })
  return (
    <FormDialog
      title="Add an address"
      action="Add address"
      isBusy={add.isBusy}
      error={add.error}
      onSubmit={() => void add.run()}
      onClose={onClose}
    >
      <Input label="E-mail address" type="email" value={email} onInput={setEmail} required />
      <p>It is yours once you follow the link in the mail that is sent to it.</p>
    </FormDialog>
  )
}
