import { Plus } from 'lucide'
import type { IconNode } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { refresh, useRead } from '../../api/use-read.js'
import { useTitle } from '../../frame/document-title.js'
import { notify, notifyError } from '../../frame/notices.js'
import { Read } from '../../frame/problem.js'
import { Button } from '../../kit/button.js'
import { ConfirmDialog } from '../../kit/dialog.js'
import { Empty } from '../../kit/empty.js'
import { FormDialog } from '../../kit/form-dialog.js'
import { PageHeader, Panel } from '../../kit/panel.js'
import { type Column, Table } from '../../kit/table.js'

interface KeyPageProps<Key> {
  kind: 'SSH' | 'GPG'
  /** The keys in the API. */
  path: string
  details: string
  icon: IconNode
  /** All but that of the actions. */
  columns: readonly Column<Key>[]
  deleteTitle: (key: Key) => string
  /** What follows when a key is deleted. */
  consequence: (key: Key) => ComponentChildren
  /** Dialog that adds a key. */
  addDialog: (onClose: () => void) => ComponentChildren
}

/** The keys of the user of one kind: a table, and dialogs to add and delete them. */
export function KeyPage<Key extends { id: number }>(props: KeyPageProps<Key>) {
  const { kind, path, details, icon, columns, deleteTitle, consequence, addDialog } = props
  const title = `${kind} keys`
  useTitle(title)
  const keys = useRead<Key[]>(path)
  const [isAdding, setAdding] = useState(false)
  const [deleted, setDeleted] = useState<Key>()
  const remove = useAction(async (id: number) => {
    await requestJson(`${path}/${id}`, { method: 'DELETE' })
    setDeleted(undefined)
    notify('The key was deleted')
    await refresh(path)
  }, notifyError)
  const actions: Column<Key> = {
    title: 'Actions',
    hidesTitle: true,
    cell: (key) => (
      <Button size="small" kind="danger" onClick={() => setDeleted(key)}>
        Delete
      </Button>
    ),
  }
  return (
    <>
      <PageHeader
        title={title}
        details={details}
        actions={
          <Button kind="primary" icon={Plus} onClick={() => setAdding(true)}>
            Add key
          </Button>
        }
      />
      <Panel isFlush>
        <Read of={keys}>
          {(all) =>
            all.length === 0 ? (
              <Empty icon={icon} title={`There is no ${kind} key yet.`} />
            ) : (
              <Table<Key> label={title} rows={all} keyOf={({ id }) => id} columns={[...columns, actions]} />
            )
          }
        </Read>
      </Panel>
      {isAdding && addDialog(() => setAdding(false))}
      {deleted && (
        <ConfirmDialog
          title={deleteTitle(deleted)}
          action="Delete key"
          isBusy={remove.isBusy}
          onConfirm={() => void remove.run(deleted.id)}
          onClose={() => setDeleted(undefined)}
        >
          <p>{consequence(deleted)}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

interface AddKeyProps {
  /** Such as "Add an SSH key". */
  title: string
  /** The keys in the API. */
  path: string
  body: () => object
  onClose: () => void
  children: ComponentChildren
}

/** A dialog that adds a key with the fields in it. */
export function AddKeyDialog({ title, path, body, onClose, children }: AddKeyProps) {
  const add = useAction(async () => {
    await requestJson(path, { method: 'POST', body: body() })
    notify('The key was added')
    await refresh(path)
    onClose()
  })
  return (
    <FormDialog
      title={title}
      action="Add key"
      isBusy={add.isBusy}
      error={add.error}
      onSubmit={() => void add.run()}
      onClose={onClose}
    >
      {children}
    </FormDialog>
  )
}
