import { ArrowUpFromLine, Plus } from 'lucide'
import { useState } from 'preact/hooks'

import { projectApi } from '../../../../addresses/first-reads.js'
import type { RemoteMirror } from '../../../../coordinator/hosting/mirrors/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useReadList } from '../../../api/use-read.js'
import { LoadMore } from '../../../frame/load-more.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { ReadRows } from '../../../frame/problem.js'
import { Badge } from '../../../kit/badge.js'
import { Button } from '../../../kit/button.js'
import { ConfirmDialog } from '../../../kit/dialog.js'
import { Empty } from '../../../kit/empty.js'
import { CheckBox, Input } from '../../../kit/field.js'
import { FormDialog } from '../../../kit/form-dialog.js'
import { Panel } from '../../../kit/panel.js'
import { Table } from '../../../kit/table.js'
import { UpdateState } from './mirror-state.js'
import styles from './page.module.css'

interface PushMirrorsProps {
  project: string
  reason: string | undefined
}

/** Other repositories that get each push to the project. */
export function PushMirrors({ project, reason }: PushMirrorsProps) {
  const path = `${projectApi(project)}/remote_mirrors`
  const { rows, result, next } = useReadList<RemoteMirror>(`${path}?per_page=50`)
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<RemoteMirror>()
  const toggle = useAction(async ({ id, enabled }: RemoteMirror) => {
    await requestJson(`${path}/${id}`, { method: 'PUT', body: { enabled: !enabled } })
    await refresh(path)
  }, notifyError)
  const remove = useAction(async (id: number) => {
    await requestJson(`${path}/${id}`, { method: 'DELETE' })
    setRemoved(undefined)
    notify('The mirror was removed')
    await refresh(path)
  }, notifyError)
  return (
    <Panel
      isFlush
      title="Push mirrors"
      actions={
        <Button size="small" icon={Plus} reason={reason} onClick={() => setAdding(true)}>
          Add mirror
        </Button>
      }
    >
      <ReadRows
        of={{ rows, result }}
        outline={3}
        empty={
          <Empty icon={ArrowUpFromLine} title="There is no push mirror.">
            A push mirror is another repository that gets each push to this project.
          </Empty>
        }
      >
        <Table<RemoteMirror>
          label="Push mirrors"
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            {
              title: 'Repository',
              isMain: true,
              cell: (mirror) => (
                <>
                  <span class={styles['name']}>{mirror.url}</span>
                  <div class={styles['quiet']}>
                    {mirror.only_protected_branches ? 'protected branches' : 'all branches and tags'}
                    {mirror.keep_divergent_refs && ', keeps what differs there'}
                  </div>
                </>
              ),
            },
            {
              title: 'State',
              cell: (mirror) =>
                mirror.enabled ? <UpdateState mirror={mirror} /> : <Badge>switched off</Badge>,
            },
            {
              title: 'Actions',
              hidesTitle: true,
              cell: (mirror) => (
                <span class={styles['actions']}>
                  <Button
                    size="small"
                    reason={reason}
                    isBusy={toggle.isBusy}
                    onClick={() => void toggle.run(mirror)}
                  >
                    {mirror.enabled ? 'Switch off' : 'Switch on'}
                  </Button>
                  <Button size="small" kind="danger" reason={reason} onClick={() => setRemoved(mirror)}>
                    Remove
                  </Button>
                </span>
              ),
            },
          ]}
        />
      </ReadRows>
      <LoadMore of="mirrors" next={next} />
      {isAdding && <NewMirror path={path} onClose={() => setAdding(false)} />}
      {removed && (
        <ConfirmDialog
          title="Remove this mirror?"
          action="Remove mirror"
          isBusy={remove.isBusy}
          onConfirm={() => void remove.run(removed.id)}
          onClose={() => setRemoved(undefined)}
        >
          <p>{removed.url} keeps what it has, and gets no more pushes.</p>
        </ConfirmDialog>
      )}
    </Panel>
  )
}

function NewMirror({ path, onClose }: { path: string; onClose: () => void }) {
  const [url, setUrl] = useState('')
  const [user, setUser] = useState('')
  const [password, setPassword] = useState('')
  const [onlyProtected, setOnlyProtected] = useState(false)
  const [keeps, setKeeps] = useState(false)
  const add = useAction(async () => {
    await requestJson(path, {
      method: 'POST',
      body: {
        url: withCredentials(url, user, password),
        enabled: true,
        only_protected_branches: onlyProtected,
        keep_divergent_refs: keeps,
      },
    })
    onClose()
    await refresh(path)
  })
  return (
    <FormDialog
      title="Add push mirror"
      action="Add mirror"
      isBusy={add.isBusy}
      error={add.error}
      onSubmit={() => void add.run()}
      onClose={onClose}
    >
      <Input
        label="Address of the repository"
        type="url"
        value={url}
        onInput={setUrl}
        required
        placeholder="https://example.com/group/project.git"
        autoComplete="off"
      />
      <Input label="User name" value={user} onInput={setUser} autoComplete="off" />
      <Input
        label="Password or token"
        type="password"
        value={password}
        onInput={setPassword}
        autoComplete="new-password"
      />
      <CheckBox label="Only protected branches" checked={onlyProtected} onInput={setOnlyProtected} />
      <CheckBox
        label="Keep what differs there"
        help="Otherwise branches that have commits of their own are overwritten."
        checked={keeps}
        onInput={setKeeps}
      />
    </FormDialog>
  )
}

/** An address that is no URL is left for the server to refuse. */
function withCredentials(address: string, user: string, password: string): string {
  if (user === '' || !URL.canParse(address)) return address
  const url = new URL(address)
  url.username = encodeURIComponent(user)
  url.password = encodeURIComponent(password)
  return url.href
}
