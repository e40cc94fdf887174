import { ListChecks, Plus } from 'lucide'
import { useState } from 'preact/hooks'

import type { ProtectedBranch } from '../../../../coordinator/hosting/protected-refs/schema.js'
import type { StatusCheck } from '../../../../coordinator/planning/merge-requests/status-checks/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useReadList } from '../../../api/use-read.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { ReadRows } from '../../../frame/problem.js'
import { Badge } from '../../../kit/badge.js'
import { Button } from '../../../kit/button.js'
import { ConfirmDialog } from '../../../kit/dialog.js'
import { Empty } from '../../../kit/empty.js'
import { CheckBox, FieldGroup, Input } from '../../../kit/field.js'
import { FormDialog } from '../../../kit/form-dialog.js'
import { Panel } from '../../../kit/panel.js'
import { Table } from '../../../kit/table.js'
import { toggled } from '../../../kit/toggled.js'
import styles from './page.module.css'

interface StatusChecksProps {
  /** Path of the project in the API. */
  path: string
  /** Why nothing can be changed now. */
  reason: string | undefined
}

/** Services that check each merge request. */
export function StatusChecks({ path: project, reason }: StatusChecksProps) {
  const path = `${project}/external_status_checks`
  // A project has at most 20.
  const checks = useReadList<StatusCheck>(`${path}?per_page=100`)
  const [edited, setEdited] = useState<StatusCheck | 'new'>()
  const [removed, setRemoved] = useState<StatusCheck>()
  const remove = useAction(async (id: number) => {
    await requestJson(`${path}/${id}`, { method: 'DELETE' })
    setRemoved(undefined)
    notify('The status check was removed')
    await refresh(path)
  }, notifyError)
  return (
    <Panel
      isFlush
      title="Status checks of merge requests"
      actions={
        <Button size="small" icon={Plus} reason={reason} onClick={() => setEdited('new')}>
          Add status check
        </Button>
      }
    >
      <ReadRows
        of={checks}
        outline={2}
        empty={
          <Empty icon={ListChecks} title="There is no status check.">
            A status check is a service that gets each merge request, and says whether it may be merged.
          </Empty>
        }
      >
        <Table<StatusCheck>
          label="Status checks of merge requests"
          rows={checks.rows}
          keyOf={({ id }) => id}
          columns={[
            {
              title: 'Service',
              isMain: true,
              cell: ({ name, external_url: url }) => (
                <>
                  <strong>{name}</strong>
                  <div class={styles['quiet']}>{url}</div>
                </>
              ),
            },
            {
              title: 'Target branches',
              isDetail: true,
              cell: ({ protected_branches: branches }) =>
                branches.length === 0 ? 'all' : branches.map(({ name }) => name).join(', '),
            },
            {
              title: 'Requests',
              cell: ({ hmac }) => (hmac ? <Badge tone="accent">signed</Badge> : <Badge>not signed</Badge>),
            },
            {
              title: 'Actions',
              hidesTitle: true,
              cell: (check) => (
                <span class={styles['actions']}>
                  <Button size="small" reason={reason} onClick={() => setEdited(check)}>
                    Edit
                  </Button>
                  <Button size="small" kind="danger" reason={reason} onClick={() => setRemoved(check)}>
                    Remove
                  </Button>
                </span>
              ),
            },
          ]}
        />
      </ReadRows>
      {edited && (
        <CheckDialog
          project={project}
          path={path}
          check={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
      {removed && (
        <ConfirmDialog
          title={`Remove ${removed.name}?`}
          action="Remove status check"
          isBusy={remove.isBusy}
          onConfirm={() => void remove.run(removed.id)}
          onClose={() => setRemoved(undefined)}
        >
          <p>The service gets no more merge requests. What it has said about them is deleted.</p>
        </ConfirmDialog>
      )}
    </Panel>
  )
}

interface CheckDialogProps {
  /** Path of the project in the API. */
  project: string
  /** Path of its status checks in the API. */
  path: string
  /** The check to change; without it, one is created. */
  check: StatusCheck | undefined
  onClose: () => void
}

function CheckDialog({ project, path, check, onClose }: CheckDialogProps) {
  const [name, setName] = useState(check?.name ?? '')
  const [url, setUrl] = useState(check?.external_url ?? '')
  const [secret, setSecret] = useState('')
  const [removesSecret, setRemovesSecret] = useState(false)
  const [branchIds, setBranchIds] = useState<ReadonlySet<number>>(
    () => new Set(check?.protected_branches.map(({ id }) => id)),
  )
  const branches = useReadList<ProtectedBranch>(`${project}/protected_branches?per_page=100`)
  const save = useAction(async () => {
    await requestJson(check ? `${path}/${check.id}` : path, {
      method: check ? 'PUT' : 'POST',
      body: {
        name,
        external_url: url,
        protected_branch_ids: [...branchIds],
        ...(removesSecret ? { shared_secret: null } : secret !== '' && { shared_secret: secret }),
      },
    })
    onClose()
    await refresh(path)
  })
  return (
    <FormDialog
      title={check ? `Edit ${check.name}` : 'Add status check'}
      action={check ? 'Save changes' : 'Add status check'}
      isBusy={save.isBusy}
      error={save.error}
      isIncomplete={name.trim() === ''}
      onSubmit={() => void save.run()}
      onClose={onClose}
    >
      <Input label="Name" value={name} onInput={setName} required autoComplete="off" />
      <Input
        label="Address of the service"
        type="url"
        value={url}
        onInput={setUrl}
        required
        placeholder="https://example.com/check"
        autoComplete="off"
        help="It gets a POST request for each change of a merge request."
      />
      <Input
        label="Shared secret"
        type="password"
        value={secret}
        onInput={setSecret}
        disabled={removesSecret}
        autoComplete="new-password"
        help={
          check?.hmac
            ? 'Requests are signed. If this is empty, the present secret stays, unless the address changes.'
            : 'With a secret, each request has an HMAC-SHA256 signature in the header X-Gitlab-Signature.'
        }
      />
      {check?.hmac && (
        <CheckBox
          label="Remove the shared secret"
          help="Requests are no longer signed."
          checked={removesSecret}
          onInput={setRemovesSecret}
        />
      )}
      {branches.rows.length > 0 && (
        <FieldGroup legend="Only for these target branches">
          {branches.rows.map(({ id, name: branch }) => (
            <CheckBox
              key={id}
              label={branch}
              checked={branchIds.has(id)}
              onInput={() => setBranchIds(toggled(branchIds, id))}
            />
          ))}
        </FieldGroup>
      )}
    </FormDialog>
  )
}
