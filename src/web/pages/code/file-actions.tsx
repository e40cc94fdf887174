import { SquarePen, Trash2, Upload } from 'lucide'
import { useState } from 'preact/hooks'

import { addressOf } from '../../../addresses/address-of.js'
import type { ReadFile } from '../../code/read-file.js'
import { CommitDialog } from '../../editor/commit-dialog.js'
import { navigate } from '../../frame/location.js'
import { notify } from '../../frame/notices.js'
import { useProjectAbilities } from '../../frame/use-abilities.js'
import { LinkButton } from '../../kit/button.js'
import { Menu, MenuItem } from '../../kit/menu.js'
import { joinRefPath } from './split-ref-path.js'
import { UploadDialog } from './upload-dialog.js'

interface FileActionsProps {
  project: string
  refName: string
  path: string
  file: ReadFile
  /** Reads the file again after it was replaced. */
  onReplaced: () => void
}

/** Edits, replaces and deletes a file; nothing for those who may not push. */
export function FileActions({ project, refName, path, file, onReplaced }: FileActionsProps) {
  const { may, reasonAgainst } = useProjectAbilities(project)
  const [dialog, setDialog] = useState<'replace' | 'delete'>()
  if (!may('push_code')) return null
  const reason = reasonAgainst('push_code')
  const isText = file.kind === 'text' && !file.isCut
  const close = () => setDialog(undefined)
  const name = path.slice(path.lastIndexOf('/') + 1)
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
  return (
    <>
      {isText && (
        <LinkButton
          icon={SquarePen}
          reason={reason}
          title="Edit (e)"
          href={addressOf('code/edit', { project, ref_path: joinRefPath(refName, path) })}
        >
          Edit
        </LinkButton>
      )}
      <Menu name="More actions">
        {file.kind !== 'lfs' && (
          <MenuItem icon={Upload} reason={reason} onSelect={() => setDialog('replace')}>
            Replace
          </MenuItem>
        )}
        <MenuItem icon={Trash2} isDangerous reason={reason} onSelect={() => setDialog('delete')}>
          Delete
        </MenuItem>
      </Menu>
      {dialog === 'replace' && (
        <UploadDialog
          project={project}
          branch={refName}
          folder={folder}
          replaced={{ path, lastCommitId: file.lastCommitId, headSha: file.commitId }}
          onClose={close}
          onUploaded={(branch) => {
            close()
            notify(`Committed to ${branch}`)
            if (branch === refName) onReplaced()
            else navigate(addressOf('code/file', { project, ref_path: joinRefPath(branch, path) }))
          }}
        />
      )}
      {dialog === 'delete' && (
        <CommitDialog
          project={project}
          title={`Delete ${name}`}
          action="Delete file"
          isDangerous
          branch={refName}
          headSha={file.commitId}
          message={`Delete ${name}`}
          actions={() => [{ action: 'delete', file_path: path, last_commit_id: file.lastCommitId }]}
          onClose={close}
          onCommitted={({ branch }) => {
            notify(`${name} was deleted on ${branch}`)
            navigate(addressOf('code/tree', { project, ref_path: joinRefPath(branch, folder) }))
          }}
        />
      )}
    </>
  )
}
