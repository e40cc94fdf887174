import { GitCommitHorizontal, SquarePen } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

import { addressOf } from '../../../../addresses/address-of.js'
import type { ReadFile } from '../../../code/read-file.js'
import { useFile } from '../../../code/use-file.js'
import { ChangesButton } from '../../../editor/changes-button.js'
import { CommitDialog } from '../../../editor/commit-dialog.js'
import { deleteDraft, readDraft, useDraft } from '../../../editor/draft.js'
import { isWholeText, withLineEndsOf } from '../../../editor/file-text.js'
import { useTitle } from '../../../frame/document-title.js'
import { navigate } from '../../../frame/location.js'
import { notify } from '../../../frame/notices.js'
import { Problem, Read } from '../../../frame/problem.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { Alert } from '../../../kit/alert.js'
import { Button, LinkButton } from '../../../kit/button.js'
import { Panel } from '../../../kit/panel.js'
import { Skeleton } from '../../../kit/skeleton.js'
import { CodeHeader } from '../code-header.js'
import { FileEditor } from '../file-editor.js'
import { joinRefPath } from '../split-ref-path.js'
import { useRefPath } from '../use-ref-path.js'

/** A file of the repository in an editor. */
export function Page({
  params: { project, ref_path: refPath },
}: {
  params: Record<'project' | 'ref_path', string>
}) {
  return (
    <Read of={useRefPath(project, refPath)} title="Edit">
      {({ ref, path }) => (
        <EditPage key={joinRefPath(ref, path)} project={project} refName={ref} path={path} />
      )}
    </Read>
  )
}

interface FileProps {
  project: string
  refName: string
  path: string
}

function EditPage(props: FileProps) {
  const { project, refName, path } = props
  useTitle(`Edit ${path.slice(path.lastIndexOf('/') + 1)} · ${project}`)
  const file = useFile(project, refName, path)
  const { result, isLoaded, may } = useProjectAbilities(project)
  if (result.error) return <Problem error={result.error} retry={() => void result.refetch()} />
  if (file.error) return <Problem error={file.error} retry={file.refetch} />
  if (!file.data || !isLoaded) {
    return (
      <>
        <Header {...props} />
        <Panel>
          <Skeleton rows={14} />
        </Panel>
      </>
    )
  }
  if (!may('push_code')) return <Refused {...props}>Developers and above can edit files.</Refused>
  if (file.data.kind !== 'text' || file.data.isCut) {
    return <Refused {...props}>Only texts up to 20 MB can be edited here. You can replace the file.</Refused>
  }
  if (!isWholeText(file.data.text, file.data.size)) {
    return (
      <Refused {...props}>
        This text is not in UTF-8, or begins with a mark. You can replace the file.
      </Refused>
    )
  }
  return <Editor {...props} file={file.data} />
}

function Header({ project, refName, path, children }: FileProps & { children?: ComponentChildren }) {
  return (
    <CodeHeader
      project={project}
      refName={refName}
      path={path}
      label="Edit"
      hrefOf={(name) => addressOf('code/edit', { project, ref_path: joinRefPath(name, path) })}
    >
      {children}
    </CodeHeader>
  )
}

function Refused(props: FileProps & { children: string }) {
  const { project, refName, path, children } = props
  return (
    <>
      <Header {...props}>
        <LinkButton href={addressOf('code/file', { project, ref_path: joinRefPath(refName, path) })}>
          Back to the file
        </LinkButton>
      </Header>
      <Alert tone="warning">{children}</Alert>
    </>
  )
}

function Editor({ project, refName, path, file }: FileProps & { file: ReadFile }) {
  const { reasonAgainst } = useProjectAbilities(project)
  const original = file.text.replaceAll('\r\n', '\n')
  const key = `${project}:${refName}:${path}`
  const [text, setText] = useState(() => readDraft(key) ?? original)
  const [isCommitting, setCommitting] = useState(false)
  const [showsChanges, setShowsChanges] = useState(false)
  const isChanged = text !== original
  useDraft(key, text, isChanged)
  const fileHref = addressOf('code/file', { project, ref_path: joinRefPath(refName, path) })
  return (
    <>
      <Header project={project} refName={refName} path={path}>
        {path === '.gitlab-ci.yml' && (
          <LinkButton icon={SquarePen} href={addressOf('editor/edit', { project }, { ref: refName })}>
            Pipeline editor
          </LinkButton>
        )}
        {isChanged && <ChangesButton isPressed={showsChanges} onToggle={setShowsChanges} />}
        {isChanged ? (
          <Button onClick={() => setText(original)}>Discard</Button>
        ) : (
          <LinkButton href={fileHref}>Cancel</LinkButton>
        )}
        <Button
          kind="primary"
          icon={GitCommitHorizontal}
          reason={reasonAgainst('push_code') ?? (isChanged ? undefined : 'Nothing has been changed.')}
          onClick={() => setCommitting(true)}
        >
          Commit…
        </Button>
      </Header>
      <FileEditor
        project={project}
        path={path}
        text={text}
        onInput={setText}
        compareTo={isChanged && showsChanges ? original : undefined}
      />
      {isCommitting && (
        <CommitDialog
          project={project}
          branch={refName}
          headSha={file.commitId}
          message={`Update ${path.slice(path.lastIndexOf('/') + 1)}`}
          fileHref={fileHref}
          actions={() => [
            {
              action: 'update',
              file_path: path,
              content: withLineEndsOf(file.text, text),
              last_commit_id: file.lastCommitId,
            },
          ]}
          onClose={() => setCommitting(false)}
          onCommitted={({ branch }) => {
            deleteDraft(key)
            notify(`Committed to ${branch}`)
            navigate(addressOf('code/file', { project, ref_path: joinRefPath(branch, path) }))
          }}
        />
      )}
    </>
  )
}
