import { GitCommitHorizontal, Upload } from 'lucide'
import { useState } from 'preact/hooks'

import { addressOf } from '../../../../addresses/address-of.js'
import { CommitDialog } from '../../../editor/commit-dialog.js'
import { Allowed } from '../../../frame/allowed.js'
import { useTitle } from '../../../frame/document-title.js'
import { navigate } from '../../../frame/location.js'
import { notify } from '../../../frame/notices.js'
import { Read } from '../../../frame/problem.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { Button } from '../../../kit/button.js'
import { Input } from '../../../kit/field.js'
import { PageHeader } from '../../../kit/panel.js'
import { FileEditor } from '../file-editor.js'
import { joinRefPath } from '../split-ref-path.js'
import { UploadDialog } from '../upload-dialog.js'
import { useRefPath } from '../use-ref-path.js'
import styles from './page.module.css'

/** A new file of the repository, in a folder. */
export function Page({
  params: { project, ref_path: refPath },
}: {
  params: Record<'project' | 'ref_path', string>
}) {
  useTitle(`New file · ${project}`)
  const abilities = useProjectAbilities(project)
  return (
    <Read of={useRefPath(project, refPath)} title="New file">
      {({ ref, path }) => (
        <Allowed
          abilities={abilities}
          title="New file"
          to="push_code"
          otherwise="Developers and above can add files."
        >
          <NewFile project={project} refName={ref} folder={path} />
        </Allowed>
      )}
    </Read>
  )
}

function NewFile({ project, refName, folder }: { project: string; refName: string; folder: string }) {
  const { reasonAgainst } = useProjectAbilities(project)
  const [name, setName] = useState(folder === '' ? '' : `${folder}/`)
  const [text, setText] = useState('')
  const [dialog, setDialog] = useState<'commit' | 'upload'>()
  const path = name.replace(/^\/+/, '')
  const isNamed = path !== '' && !path.endsWith('/')
  const reason = reasonAgainst('push_code')
  const branch = refName || 'main'
  const open = (target: string, shown: string) => {
    notify(`Committed to ${target}`)
    navigate(addressOf('code/file', { project, ref_path: joinRefPath(target, shown) }))
  }
  return (
    <>
      <PageHeader
        title="New file"
        details={refName === '' ? 'The first one of the repository' : `on ${refName}`}
        actions={
          <>
            <Button icon={Upload} reason={reason} onClick={() => setDialog('upload')}>
              Upload files
            </Button>
            <Button
              kind="primary"
              icon={GitCommitHorizontal}
              reason={reason ?? (isNamed ? undefined : 'The file needs a name.')}
              onClick={() => setDialog('commit')}
            >
              Commit…
            </Button>
          </>
        }
      />
      <Input
        class={styles['name']}
        label="Path of the file"
        help="Slashes make folders."
        value={name}
        onInput={setName}
        placeholder="docs/guide.md"
        autoFocus
        autoComplete="off"
        spellcheck={false}
      />
      <FileEditor project={project} path={path} text={text} onInput={setText} />
      {dialog === 'commit' && (
        <CommitDialog
          project={project}
          branch={branch}
          isEmptyRepository={refName === ''}
          message={`Add ${path.slice(path.lastIndexOf('/') + 1)}`}
          actions={() => [{ action: 'create', file_path: path, content: text }]}
          onClose={() => setDialog(undefined)}
          onCommitted={({ branch: target }) => open(target, path)}
        />
      )}
      {dialog === 'upload' && (
        <UploadDialog
          project={project}
          branch={branch}
          isEmptyRepository={refName === ''}
          folder={folder}
          onClose={() => setDialog(undefined)}
          onUploaded={open}
        />
      )}
    </>
  )
}
