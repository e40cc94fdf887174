import { FileLock, Trash2, Upload } from 'lucide'
import { useRef, useState } from 'preact/hooks'

import { projectApi } from '../../../../addresses/first-reads.js'
import type { SecureFile } from '../../../../coordinator/ci/secure-files/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useReadList } from '../../../api/use-read.js'
import { LoadMore } from '../../../frame/load-more.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { ReadRows } from '../../../frame/problem.js'
import { Button, IconButton } from '../../../kit/button.js'
import { ConfirmDialog } from '../../../kit/dialog.js'
import { Empty } from '../../../kit/empty.js'
import { Panel } from '../../../kit/panel.js'
import { Table } from '../../../kit/table.js'
import { Time } from '../../../kit/time.js'
import styles from './page.module.css'

interface SecureFilesProps {
  project: string
  reason: string | undefined
}

/** Files that jobs download, such as signing keys. They are stored encrypted. */
export function SecureFiles({ project, reason }: SecureFilesProps) {
  const path = `${projectApi(project)}/secure_files`
  const { rows, result, next } = useReadList<SecureFile>(`${path}?per_page=50`)
  const [deleted, setDeleted] = useState<SecureFile>()
  const input = useRef<HTMLInputElement>(null)
  const upload = useAction(async (file: File) => {
    const form = new FormData()
    form.set('name', file.name)
    form.set('file', file)
    await requestJson(path, { method: 'POST', body: form })
    notify(`${file.name} was uploaded`)
    await refresh(path)
  }, notifyError)
  const remove = useAction(async (id: number) => {
    await requestJson(`${path}/${id}`, { method: 'DELETE' })
    setDeleted(undefined)
    await refresh(path)
  }, notifyError)
  return (
    <Panel
      isFlush
      title="Secure files"
      actions={
        <>
          <input
            ref={input}
            type="file"
            class="visually-hidden"
            aria-label="Secure file"
            tabIndex={-1}
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? []
              currentTarget.value = ''
              if (file) void upload.run(file)
            }}
          />
          <Button
            size="small"
            icon={Upload}
            reason={reason}
            isBusy={upload.isBusy}
            onClick={() => input.current?.click()}
          >
            Upload a file
          </Button>
        </>
      }
    >
      <ReadRows
        of={{ rows, result }}
        outline={3}
        empty={
          <Empty icon={FileLock} title="There is no secure file.">
            Jobs download secure files, such as signing keys, which are not in the repository. At most 5 MiB
            each.
          </Empty>
        }
      >
        <Table<SecureFile>
          label="Secure files"
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            { title: 'Name', isMain: true, cell: ({ name }) => <strong>{name}</strong> },
            {
              title: 'SHA-256',
              isDetail: true,
              cell: ({ checksum }) => <code title={checksum}>{checksum.slice(0, 16)}…</code>,
            },
            { title: 'Uploaded', cell: ({ created_at: at }) => <Time value={at} /> },
            {
              title: 'Actions',
              hidesTitle: true,
              cell: (file) => (
                <span class={styles['actions']}>
                  <IconButton
                    size="small"
                    icon={Trash2}
                    label={`Delete ${file.name}`}
                    reason={reason}
                    onClick={() => setDeleted(file)}
                  />
                </span>
              ),
            },
          ]}
        />
      </ReadRows>
      <LoadMore of="secure files" next={next} />
      {deleted && (
        <ConfirmDialog
          title={`Delete ${deleted.name}?`}
          action="Delete file"
          isBusy={remove.isBusy}
          onConfirm={() => void remove.run(deleted.id)}
          onClose={() => setDeleted(undefined)}
        >
          <p>Jobs can no longer download it. This cannot be undone.</p>
        </ConfirmDialog>
      )}
    </Panel>
  )
}
