import { Download, FileCode, History, Link, ScrollText, TextSearch, TextWrap } from 'lucide'
import { useMemo } from 'preact/hooks'

import { addressOf, encodePath, queryOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { SingleCommit } from '../../../../coordinator/hosting/commits/schema.js'
import type { RenderedFile } from '../../../../coordinator/hosting/repository-contents/view-schema.js'
import { useRead } from '../../../api/use-read.js'
import { CodeLines } from '../../../code/code-lines.js'
import { FileBar } from '../../../code/file-bar.js'
import { rawPath, type ReadFile } from '../../../code/read-file.js'
import { Rendered } from '../../../code/rendered.js'
import { ShownFile } from '../../../code/shown-file.js'
import { linesOf } from '../../../code/text-lines.js'
import { useFile } from '../../../code/use-file.js'
import { useHighlight } from '../../../code/use-highlight.js'
import { useTitle } from '../../../frame/document-title.js'
import { navigate, useLocation, useSearch } from '../../../frame/location.js'
import { Problem, Read } from '../../../frame/problem.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { usePreferences } from '../../../frame/use-preferences.js'
import { Alert } from '../../../kit/alert.js'
import { IconButton, LinkButton } from '../../../kit/button.js'
import { formatBytes, formatCount } from '../../../kit/bytes.js'
import { CopyButton } from '../../../kit/copy-button.js'
import { Empty } from '../../../kit/empty.js'
import { useKeys } from '../../../kit/keys.js'
import { Box } from '../../../kit/panel.js'
import { Skeleton } from '../../../kit/skeleton.js'
import { CommitBar } from '../../../records/commit-line.js'
import { CodeHeader } from '../code-header.js'
import { FileActions } from '../file-actions.js'
import { showPermalink } from '../show-permalink.js'
import { joinRefPath } from '../split-ref-path.js'
import { useRefPath } from '../use-ref-path.js'
import { CiCheck } from './ci-check.js'
import styles from './page.module.css'

const API = '/api/v4'

/** A file of the repository. */
export function Page({
  params: { project, ref_path: refPath },
}: {
  params: Record<'project' | 'ref_path', string>
}) {
  return (
    <Read of={useRefPath(project, refPath)} title="File">
      {({ ref, path, project: { ci_config_path: ciFile } }) => (
        <FilePage
          key={joinRefPath(ref, path)}
          project={project}
          refName={ref}
          path={path}
          ciFile={ciFile || '.gitlab-ci.yml'}
        />
      )}
    </Read>
  )
}

interface FileProps {
  project: string
  refName: string
  path: string
}

interface FilePageProps extends FileProps {
  /** Path of the CI file of the project. */
  ciFile: string
}

function FilePage({ project, refName, path, ciFile }: FilePageProps) {
  useTitle(`${fileNameOf(path)} · ${project}`)
  const file = useFile(project, refName, path)
  const { may, reasonAgainst } = useProjectAbilities(project)
  const mayEdit = may('push_code') && reasonAgainst('push_code') === undefined && file.data?.kind === 'text'
  const refPath = joinRefPath(refName, path)
  const permalink = () =>
    void showPermalink(
      project,
      refName,
      (sha) =>
        addressOf('code/file', { project, ref_path: joinRefPath(sha, path) }) +
        location.search +
        location.hash,
    )
  const blame = addressOf('code/blame', { project, ref_path: refPath })
  useKeys({
    y: permalink,
    b: () => navigate(blame),
    ...(mayEdit && {
      e: () => navigate(addressOf('code/edit', { project, ref_path: refPath })),
    }),
    t: () => navigate(addressOf('code/find-file', { project, ref: refName })),
  })
  return (
    <>
      <CodeHeader
        project={project}
        refName={refName}
        path={path}
        hrefOf={(name) => addressOf('code/file', { project, ref_path: joinRefPath(name, path) })}
      >
        {file.data?.kind === 'text' && (
          <LinkButton icon={TextSearch} title="Blame (b)" href={blame}>
            Blame
          </LinkButton>
        )}
        <LinkButton icon={History} href={addressOf('code/commits', { project, ref_path: refPath })}>
          History
        </LinkButton>
        {file.data && (
          <FileActions {...{ project, refName, path }} file={file.data} onReplaced={file.refetch} />
        )}
      </CodeHeader>
      {file.error ? (
        <Problem error={file.error} retry={file.refetch} />
      ) : (
        <Box label="File">
          <LastCommit project={project} sha={file.data?.lastCommitId} />
          {path === ciFile && file.data && <CiCheck {...{ project, refName, path }} />}
          {file.data ? (
            <Content {...{ project, refName, path, permalink }} file={file.data} />
          ) : (
            <Skeleton rows={12} />
          )}
        </Box>
      )}
    </>
  )
}

function LastCommit({ project, sha }: { project: string; sha: string | undefined }) {
  const { data } = useRead<SingleCommit>(
    sha ? `${projectApi(project)}/repository/commits/${sha}?stats=false` : undefined,
  )
  return <CommitBar project={project} commit={data} pipeline={data?.last_pipeline} />
}

interface ContentProps extends FileProps {
  file: ReadFile
  permalink: () => void
}

function Content({ project, refName, path, file, permalink }: ContentProps) {
  const [search] = useSearch()
  const { hash } = useLocation()
  const isMarkdown = file.kind === 'text' && /\.(md|markdown|mkdn?)$/i.test(path)
  const isDrawing = file.kind === 'text' && /\.svg$/i.test(path)
  const hasRendering = isMarkdown || isDrawing
  const isPlain = !hasRendering || search.get('plain') === '1' || hash.startsWith('#L')
  const lines = useMemo(() => linesOf(file.text), [file.text])
  const [{ wrapsCode: wraps }, changePreferences] = usePreferences()
  const hasLines = isPlain && file.kind === 'text' && file.size > 0
  const wrap = () => changePreferences({ wrapsCode: !wraps })
  useKeys(hasLines ? { w: wrap } : {})
  const raw = API + rawPath(project, refName, path)
  const refPath = joinRefPath(refName, path)
  return (
    <>
      <FileBar
        class={styles['bar']}
        views={
          hasRendering
            ? {
                label: isDrawing ? 'Picture' : 'Rendered',
                href: addressOf('code/file', { project, ref_path: refPath }),
                sourceHref: addressOf('code/file', { project, ref_path: refPath }, { plain: 1 }),
                isSource: isPlain,
              }
            : undefined
        }
        facts={
          <>
            {formatBytes(file.size)}
            {file.kind === 'text' &&
              !file.isCut &&
              ` · ${formatCount(lines.length)} ${lines.length === 1 ? 'line' : 'lines'}`}
            {file.isExecutable && ' · executable'}
            {file.kind === 'lfs' && ' · stored in Git LFS'}
          </>
        }
      >
        {hasLines && (
          <IconButton
            size="small"
            icon={TextWrap}
            label="Wrap long lines (w)"
            aria-pressed={wraps}
            onClick={wrap}
          />
        )}
        {file.kind === 'text' && !file.isCut && <CopyButton text={file.text} label="Copy the content" />}
        <IconButton size="small" icon={Link} label="Permanent link (y)" onClick={permalink} />
        <LinkButton size="small" icon={ScrollText} href={raw} data-reload="">
          <span class={styles['word']}>Raw</span>
        </LinkButton>
        <LinkButton
          size="small"
          icon={Download}
          href={API + rawPath(project, refName, path, { lfs: true })}
          download={fileNameOf(path)}
          data-reload=""
        >
          <span class={styles['word']}>Download</span>
        </LinkButton>
      </FileBar>
      {isPlain ? (
        <Plain {...{ project, refName, path, file, lines, wraps }} />
      ) : isDrawing ? (
        <ShownFile kind="image" src={shownAddress({ project, refName, path })} name={fileNameOf(path)} />
      ) : (
        <Markdown {...{ project, refName, path, file, lines, wraps }} />
      )}
    </>
  )
}

interface PlainProps extends FileProps {
  file: ReadFile
  lines: readonly string[]
  wraps: boolean
}

function Plain(props: PlainProps) {
  const { path, file, lines, wraps } = props
  const colored = useHighlight(path, file.kind === 'text' && !file.isCut ? file.text : undefined)
  const name = fileNameOf(path)
  if (file.shownAs) return <ShownFile kind={file.shownAs} src={shownAddress(props)} name={name} />
  if (file.kind === 'lfs') {
    return (
      <Empty icon={FileCode} title="This file is stored in Git LFS.">
        The repository has a pointer to it. Download it to see its content.
      </Empty>
    )
  }
  if (file.kind === 'binary') {
    return (
      <Empty icon={FileCode} title="This is a binary file.">
        Download it to see its content.
      </Empty>
    )
  }
  if (file.size === 0) return <Empty icon={FileCode} title="This file is empty." />
  return (
    <>
      {file.isCut && (
        <Alert tone="info">
          The file is too large to show. This is its beginning; open the raw file for the rest.
        </Alert>
      )}
      <CodeLines label={`Content of ${name}`} lines={lines} colored={colored} wraps={wraps} />
    </>
  )
}

/** Files in Git LFS and drawings are sent from here as they are shown; the API sends pointers and text. */
function shownAddress({ project, refName, path }: FileProps): string {
  return `/${project}/-/raw/${encodePath(joinRefPath(refName, path))}`
}

function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function Markdown(props: PlainProps) {
  const { project, refName, path } = props
  const rendered = useRead<RenderedFile>(
    `${projectApi(project)}/repository/rendered${queryOf({ ref: refName, path })}`,
  )
  return (
    <Read of={rendered}>
      {({ html }) =>
        html === null ? (
          <Plain {...props} />
        ) : (
          <div class={styles['rendered']}>
            <Rendered html={html} />
          </div>
        )
      }
    </Read>
  )
}
