import { useState } from 'preact/hooks'

import { addressOf } from '../../../../addresses/address-of.js'
import { groupApi } from '../../../../addresses/first-reads.js'
import { OWNER } from '../../../../coordinator/access/access-levels.js'
import type { Group } from '../../../../coordinator/accounts/groups/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { useRead } from '../../../api/use-read.js'
import { navigate } from '../../../frame/location.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { Button } from '../../../kit/button.js'
import { Combobox } from '../../../kit/combobox.js'
import { ConfirmDialog } from '../../../kit/dialog.js'
import { FormDialog } from '../../../kit/form-dialog.js'
import type { NamedGroup } from '../../../records/creatable-groups.js'
import { DangerPanel, DangerRow } from '../../../records/danger-rows.js'
import { groupsPath } from '../../../records/namespaces.js'
import { PathDialog } from '../../../records/path-dialog.js'

/** What changes a whole group: its path, its parent, and whether it exists. */
export function AdvancedPanel({ group }: { group: Group }) {
  const [dialog, setDialog] = useState<'path' | 'transfer' | 'delete'>()
  const close = () => setDialog(undefined)
  const moved = ({ full_path: path }: Group) => {
    notify(`The group is now at ${path}`)
    navigate(addressOf('groups/settings', { group: path }))
  }
  const remove = useAction(async () => {
    await requestJson(groupApi(group.full_path), { method: 'DELETE' })
    notify(`${group.full_path} is being deleted`)
    navigate('/')
  }, notifyError)
  return (
    <DangerPanel>
      <DangerRow
        title="Change the path"
        help={
          <>
            The address is <code>{group.full_path}</code>. Its projects and subgroups move with it.
          </>
        }
        action={<Button onClick={() => setDialog('path')}>Change path</Button>}
      />
      <DangerRow
        title="Transfer"
        help="The group moves below another group, or to the top level. Members of its present parents no longer have access."
        action={<Button onClick={() => setDialog('transfer')}>Transfer group</Button>}
      />
      <DangerRow
        title="Delete"
        help="All projects and subgroups inside are deleted with it."
        action={
          <Button kind="danger" onClick={() => setDialog('delete')}>
            Delete group
          </Button>
        }
      />
      {dialog === 'path' && (
        <PathDialog<Group>
          api={groupApi(group.full_path)}
          path={group.path}
          help="Clones of the projects inside need the new address."
          onMoved={moved}
          onClose={close}
        />
      )}
      {dialog === 'transfer' && <TransferDialog group={group} onMoved={moved} onClose={close} />}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={`Delete ${group.name}?`}
          action="Delete group"
          typed={group.full_path}
          isBusy={remove.isBusy}
          onConfirm={() => void remove.run()}
          onClose={close}
        >
          <p>All projects and subgroups inside are deleted. This cannot be undone.</p>
        </ConfirmDialog>
      )}
    </DangerPanel>
  )
}

const TOP = { value: '', label: 'The top level' }

interface TransferDialogProps {
  group: Group
  onMoved: (group: Group) => void
  onClose: () => void
}

function TransferDialog({ group, onMoved, onClose }: TransferDialogProps) {
  const [search, setSearch] = useState('')
  const [parent, setParent] = useState(TOP)
  const { data: groups } = useRead<NamedGroup[]>(groupsPath({ min_access_level: OWNER }, search), {
    keepsPrevious: true,
  })
  const transfer = useAction(async () => {
    const moved = await requestJson<Group>(`${groupApi(group.full_path)}/transfer`, {
      method: 'POST',
      body: { group_id: parent.value === '' ? null : Number(parent.value) },
    })
    onClose()
    onMoved(moved)
  })
  const others = (groups ?? []).filter(({ id }) => id !== group.id)
  return (
    <FormDialog
      title={`Transfer ${group.name}`}
      action="Transfer group"
      isBusy={transfer.isBusy}
      error={transfer.error}
      isDangerous
      onSubmit={() => void transfer.run()}
      onClose={onClose}
    >
      <Combobox
        label="New parent"
        value={parent.value}
        valueLabel={parent.label}
        choices={[TOP, ...others.map(({ id, full_path: label }) => ({ value: String(id), label }))]}
        onSearch={setSearch}
        onChoose={setParent}
        none="No group that you own has this name."
      />
    </FormDialog>
  )
}
