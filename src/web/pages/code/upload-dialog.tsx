import { useState } from 'preact/hooks'

import { base64Of } from '../../editor/base64-of.js'
import { CommitDialog } from '../../editor/commit-dialog.js'
import { Field } from '../../kit/field.js'
import styles from './upload-dialog.module.css'

interface UploadDialogProps {
  project: string
  branch: string
  isEmptyRepository?: boolean
  folder: string
  /** The file that is replaced; without one, files are added to the folder. */
  replaced?: { path: string; lastCommitId: string; headSha: string } | undefined
  onClose: () => void
  /** Called with the branch, and the path of the file, or of the folder of several ones. */
  onUploaded: (branch: string, path: string) => void
}

/** Adds files from this computer to a folder, or replaces a file by one. */
export function UploadDialog({
  project,
  branch,
  isEmptyRepository = false,
  folder,
  replaced,
  onClose,
  onUploaded,
}: UploadDialogProps) {
  const [files, setFiles] = useState<readonly File[]>([])
  const pathOf = (name: string) => replaced?.path ?? (folder === '' ? name : `${folder}/${name}`)
  const [first] = files
  return (
    <CommitDialog
      project={project}
      title={replaced ? 'Replace file' : 'Upload files'}
      branch={branch}
      isEmptyRepository={isEmptyRepository}
      headSha={replaced?.headSha}
      message={commitMessage(files, replaced?.path)}
      reason={first ? undefined : 'Choose a file.'}
      actions={() => Promise.all(files.map((file) => commitAction(file, pathOf(file.name), replaced)))}
      onClose={onClose}
      onCommitted={({ branch: target }) => onUploaded(target, pathOf(first?.name ?? ''))}
    >
      <Field label={replaced ? 'File' : 'Files'}>
        {(ids) => (
          <input
            {...ids}
            class={styles['file']}
            type="file"
            required
            multiple={!replaced}
            onChange={({ currentTarget }) => setFiles([...(currentTarget.files ?? [])])}
          />
        )}
      </Field>
    </CommitDialog>
  )
}

async function commitAction(file: File, path: string, replaced: UploadDialogProps['replaced']) {
  const about = { file_path: path, content: await base64Of(file), encoding: 'base64' as const }
  if (!replaced) return { action: 'create' as const, ...about }
  return { action: 'update' as const, ...about, last_commit_id: replaced.lastCommitId }
}

function commitMessage(files: readonly File[], replaced: string | undefined): string {
  if (replaced !== undefined) return `Replace ${replaced.slice(replaced.lastIndexOf('/') + 1)}`
  if (files.length > 1) return `Upload ${files.length} files`
  return files[0] ? `Upload ${files[0].name}` : 'Upload files'
}
