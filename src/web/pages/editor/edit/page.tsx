import { FilePlus, FileSymlink, GitCommitHorizontal } from 'lucide'
import { useState } from 'preact/hooks'

import { addressOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { FullProject } from '../../../../coordinator/hosting/projects/record/schema.js'
import { boot } from '../../../api/boot.js'
import { refresh, useRead } from '../../../api/use-read.js'
import { RefPicker } from '../../../code/ref-picker.js'
import { useFile } from '../../../code/use-file.js'
import { ChangesButton } from '../../../editor/changes-button.js'
import { CommitDialog } from '../../../editor/commit-dialog.js'
import { CommittedNote } from '../../../editor/committed-note.js'
import { deleteDraft, readDraft, useDraft } from '../../../editor/draft.js'
import { isWholeText, withLineEndsOf } from '../../../editor/file-text.js'
import { useTitle } from '../../../frame/document-title.js'
import { navigate, useSearch } from '../../../frame/location.js'
import { Problem, Read } from '../../../frame/problem.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { Alert } from '../../../kit/alert.js'
import { Button, LinkButton } from '../../../kit/button.js'
import { Empty } from '../../../kit/empty.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { Skeleton } from '../../../kit/skeleton.js'
import { ciFileOf, FIRST_FILE } from '../ci-file.js'
import { Workbench } from '../workbench.js'
import styles from './page.module.css'

/** The CI file of a project in an editor, checked as it is written. */
export function Page({ params: { project } }: { params: { project: string } }) {
  useTitle(`Pipeline editor · ${project}`)
  const [search] = useSearch()
  const record = useRead<Partial<FullProject>>(projectApi(project), { staleTime: 60_000 })
  const [commit, setCommit] = useState<LastCommit>()
  const shared = { project, commit, onCommit: setCommit }
  return (
    <Read of={record} title="Pipeline editor">
      {({ default_branch: branch, ci_config_path: setting }) => {
        const file = ciFileOf(setting)
        if (file.kind !== 'own') return <Elsewhere file={file} />
        const ref = search.get('ref') ?? branch ?? ''
        return ref === '' ? (
          <Editor {...shared} refName="" path={file.path} committed={undefined} />
        ) : (
          <Loaded key={ref} {...shared} refName={ref} path={file.path} />
        )
      }}
    </Read>
  )
}

function Elsewhere({ file }: { file: Exclude<ReturnType<typeof ciFileOf>, { kind: 'own' }> }) {
  const isProject = file.kind === 'project'
  const name = isProject ? `${file.path} of ${file.project}` : file.url
  return (
    <>
      <PageHeader title="Pipeline editor" />
      <Panel isFlush>
        <Empty
          icon={FileSymlink}
          title="The CI file is not in this repository."
          action={
            <LinkButton
              href={
                isProject ? addressOf('editor/edit', { project: file.project }, { ref: file.ref }) : file.url
              }
            >
              Open it there
            </LinkButton>
          }
        >
          The settings of the project name {name}.
        </Empty>
      </Panel>
    </>
  )
}

interface LastCommit {
  branch: string
  sha: string
  title: string
}

interface FileProps {
  project: string
  refName: string
  path: string
  /** What was committed on this page. */
  commit: LastCommit | undefined
  onCommit: (commit: LastCommit) => void
}

/** The file as it is committed. */
interface CommittedFile {
  text: string
  lastCommitId: string
  headSha: string
}

function Loaded(props: FileProps) {
  const { project, refName, path } = props
  const file = useFile(project, refName, path)
  if (file.error?.status === 404) return <Editor {...props} committed={undefined} />
  if (file.error) return <Problem error={file.error} retry={file.refetch} />
  if (!file.data) {
    return (
      <>
        <PageHeader title="Pipeline editor" />
        <Panel>
          <Skeleton rows={14} />
        </Panel>
      </>
    )
  }
  const { text, size, lastCommitId, commitId } = file.data
  if (!isWholeText(text, size)) {
    return (
      <>
        <PageHeader title="Pipeline editor" />
        <Alert tone="warning">The CI file is not in UTF-8, so it cannot be edited here.</Alert>
      </>
    )
  }
  return <Editor {...props} committed={{ text, lastCommitId, headSha: commitId }} />
}

function Editor({
  project,
  refName,
  path,
  commit,
  onCommit,
  committed: first,
}: FileProps & { committed: CommittedFile | undefined }) {
  const { result, isLoaded, may, reasonAgainst } = useProjectAbilities(project)
  const key = `${project}:${refName}:${path}`
  const [committed, setCommitted] = useState(first)
  const [text, setText] = useState<string | undefined>(
    () => readDraft(key) ?? first?.text.replaceAll('\r\n', '\n'),
  )
  const [isCommitting, setCommitting] = useState(false)
  const [showsChanges, setShowsChanges] = useState(false)
  const original = committed?.text.replaceAll('\r\n', '\n') ?? ''
  const isChanged = text !== undefined && text !== original
  useDraft(key, text ?? '', isChanged)
  const mayCommit = may('push_code')
  const actions = mayCommit && (
    <>
      {isChanged && committed && (
        <>
          <ChangesButton size="small" isPressed={showsChanges} onToggle={setShowsChanges} />
          <Button size="small" onClick={() => setText(original)}>
            Discard
          </Button>
        </>
      )}
      <Button
        size="small"
        kind="primary"
        icon={GitCommitHorizontal}
        reason={reasonAgainst('push_code') ?? (isChanged ? undefined : 'Nothing has been changed.')}
        onClick={() => setCommitting(true)}
      >
        Commit…
      </Button>
    </>
  )
  return (
    <>
      <PageHeader
        title="Pipeline editor"
        details={
          <>
            {committed ? (
              <a href={addressOf('code/file', { project, ref_path: `${refName}/${path}` })}>{path}</a>
            ) : (
              path
            )}
            {!committed && text !== undefined && ' · new file'}
          </>
        }
        actions={
          refName !== '' && (
            <RefPicker
              project={project}
              current={refName}
              hrefOf={(ref) => addressOf('editor/edit', { project }, { ref })}
            />
          )
        }
      />
      <div class={styles['notes']}>
        {isLoaded && !mayCommit && text !== undefined && (
          <Alert>
            {may('lint_pipelines')
              ? 'You may try changes here, and copy them.'
              : 'You may read the file. Developers and above can change it.'}
          </Alert>
        )}
        {commit && <CommittedNote key={commit.sha} project={project} {...commit} />}
      </div>
      {text === undefined ? (
        <Panel isFlush>
          <Empty
            icon={FilePlus}
            title={refName === '' ? 'The repository is empty.' : `There is no ${path} on ${refName}.`}
            action={
              mayCommit && (
                <Button kind="primary" onClick={() => setText(FIRST_FILE)}>
                  Write a CI file
                </Button>
              )
            }
          >
            The CI file says which jobs a push, a merge request or a schedule runs.
          </Empty>
        </Panel>
      ) : (
        <Read of={result}>
          {() => (
            <Workbench
              project={project}
              refName={refName}
              path={path}
              text={text}
              onInput={setText}
              mayCheck={may('lint_pipelines')}
              isSignedIn={boot.user !== null}
              actions={actions}
              compareTo={isChanged && committed && showsChanges ? original : undefined}
            />
          )}
        </Read>
      )}
      {isCommitting && text !== undefined && (
        <CommitDialog
          project={project}
          branch={refName || 'main'}
          isEmptyRepository={refName === ''}
          headSha={committed?.headSha}
          message={`${committed ? 'Update' : 'Add'} ${path}`}
          actions={() => [
            committed
              ? {
                  action: 'update',
                  file_path: path,
                  content: withLineEndsOf(committed.text, text),
                  last_commit_id: committed.lastCommitId,
                }
              : { action: 'create', file_path: path, content: text },
          ]}
          onClose={() => setCommitting(false)}
          onCommitted={({ branch, commit: { id, title } }) => {
            setCommitting(false)
            onCommit({ branch, sha: id, title })
            deleteDraft(key)
            if (refName === '') void refresh(projectApi(project))
            else if (branch === refName) {
              const stored = committed ? withLineEndsOf(committed.text, text) : text
              setCommitted({ text: stored, lastCommitId: id, headSha: id })
            } else navigate(addressOf('editor/edit', { project }, { ref: branch }))
          }}
        />
      )}
    </>
  )
}
