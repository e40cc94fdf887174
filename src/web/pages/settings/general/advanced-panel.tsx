import { useState } from 'preact/hooks'

import { addressOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { FullProject } from '../../../../coordinator/hosting/projects/record/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh } from '../../../api/use-read.js'
import { navigate } from '../../../frame/location.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { Button } from '../../../kit/button.js'
import { ConfirmDialog } from '../../../kit/dialog.js'
import { FormDialog } from '../../../kit/form-dialog.js'
import { DangerPanel, DangerRow } from '../../../records/danger-rows.js'
import { NamespaceField } from '../../../records/namespace-field.js'
import { PathDialog } from '../../../records/path-dialog.js'

type OpenDialog = 'path' | 'archive' | 'transfer' | 'delete'

/** What changes a whole project: its path, its namespace, and whether it can be changed or exists. */
export function AdvancedPanel({ project }: { project: FullProject }) {
  const path = project.path_with_namespace
  const api = projectApi(path)
  const { may, reasonAgainst } = useProjectAbilities(path)
  const [dialog, setDialog] = useState<OpenDialog>()
  const close = () => setDialog(undefined)
  const moved = ({ path_with_namespace: newPath }: FullProject) => {
    notify(`The project is now at ${newPath}`)
    navigate(addressOf('settings/general', { project: newPath }))
  }
  const isMarked = project.marked_for_deletion_on !== null
  const archive = useAction(async () => {
    await requestJson(`${api}/${project.archived ? 'unarchive' : 'archive'}`, { method: 'POST' })
    close()
    notify(project.archived ? 'The project can be changed again' : 'The project is archived')
    await refresh(api)
  }, notifyError)
  const restore = useAction(async () => {
    const restored = await requestJson<FullProject>(`${api}/restore`, { method: 'POST' })
    notify('The project was restored')
    navigate(addressOf('settings/general', { project: restored.path_with_namespace }))
    await refresh(api)
  }, notifyError)
  const remove = useAction(async () => {
    const isFinal = isMarked ? `?permanently_remove=true&full_path=${encodeURIComponent(path)}` : ''
    await requestJson(`${api}${isFinal}`, { method: 'DELETE' })
    notify(`${path} was deleted`)
    navigate('/')
  }, notifyError)
  return (
    <DangerPanel>
      {isMarked && may('remove_project') && (
        <DangerRow
          title="Restore"
          help={`The project was marked for deletion on ${project.marked_for_deletion_on}. It can be restored until it is deleted.`}
          action={
            <Button kind="primary" isBusy={restore.isBusy} onClick={() => void restore.run()}>
              Restore project
            </Button>
          }
        />
      )}
      <DangerRow
        title="Change the path"
        help={
          <>
            The address is <code>{path}</code>. The old address leads to the new one until another project
            takes it.
          </>
        }
        action={
          <Button reason={reasonAgainst('edit_project')} onClick={() => setDialog('path')}>
            Change path
          </Button>
        }
      />
      <DangerRow
        title={project.archived ? 'Unarchive' : 'Archive'}
        help={
          project.archived
            ? 'The project can be changed again, and runs pipelines.'
            : 'The project can only be read: nobody can push to it or run pipelines.'
        }
        action={
          <Button
            reason={reasonAgainst('archive_project')}
            isBusy={archive.isBusy}
            onClick={() => setDialog('archive')}
          >
            {project.archived ? 'Unarchive project' : 'Archive project'}
          </Button>
        }
      />
      {may('transfer_project') && (
        <DangerRow
          title="Transfer"
          help="The project moves to another group or user. Members and variables of its present group no longer apply."
          action={
            <Button reason={reasonAgainst('transfer_project')} onClick={() => setDialog('transfer')}>
              Transfer project
            </Button>
          }
        />
      )}
      {may('remove_project') && (
        <DangerRow
          title={isMarked ? 'Delete now' : 'Delete'}
          help="The repository, pipelines, logs, artifacts, issues and merge requests are deleted."
          action={
            <Button kind="danger" onClick={() => setDialog('delete')}>
              {isMarked ? 'Delete project now' : 'Delete project'}
            </Button>
          }
        />
      )}
      {dialog === 'path' && (
        <PathDialog<FullProject>
          api={api}
          path={project.path}
          help={`The namespace stays ${project.namespace.full_path}. Clones need the new address.`}
          onMoved={moved}
          onClose={close}
        />
      )}
      {dialog === 'transfer' && <TransferDialog project={project} onMoved={moved} onClose={close} />}
      {dialog === 'archive' && (
        <ConfirmDialog
          title={project.archived ? `Unarchive ${project.name}?` : `Archive ${project.name}?`}
          action={project.archived ? 'Unarchive' : 'Archive'}
          isBusy={archive.isBusy}
          onConfirm={() => void archive.run()}
          onClose={close}
        >
          <p>
            {project.archived
              ? 'Members can push and run pipelines again.'
              : 'Nothing in the project can be changed until an owner unarchives it.'}
          </p>
        </ConfirmDialog>
      )}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={`Delete ${project.name}?`}
          action="Delete project"
          typed={path}
          isBusy={remove.isBusy}
          onConfirm={() => void remove.run()}
          onClose={close}
        >
          <p>
            {isMarked
              ? 'The project is deleted now. This cannot be undone.'
              : 'If this instance keeps deleted projects for some days, an owner can restore it. Otherwise this cannot be undone.'}
          </p>
        </ConfirmDialog>
      )}
    </DangerPanel>
  )
}

interface TransferDialogProps {
  project: FullProject
  onMoved: (project: FullProject) => void
  onClose: () => void
}

function TransferDialog({ project, onMoved, onClose }: TransferDialogProps) {
  const [target, setTarget] = useState({
    id: undefined as number | undefined,
    path: '',
    visibility: 'public',
  })
  const transfer = useAction(async () => {
    const moved = await requestJson<FullProject>(`${projectApi(project.path_with_namespace)}/transfer`, {
      method: 'PUT',
      body: { namespace: target.path },
    })
    onClose()
    onMoved(moved)
  })
  return (
    <FormDialog
      title={`Transfer ${project.name}`}
      action="Transfer project"
      isBusy={transfer.isBusy}
      error={transfer.error}
      isIncomplete={target.path === ''}
      isDangerous
      onSubmit={() => void transfer.run()}
      onClose={onClose}
    >
      <NamespaceField label="New namespace" value={target} onChoose={setTarget} />
    </FormDialog>
  )
}
