import { Download, FileCode, FileQuestionMark, PanelsTopLeft } from 'lucide'
import { useEffect, useMemo, useState } from 'preact/hooks'

import { addressOf } from '../../../../addresses/address-of.js'
import type { DetailedJob } from '../../../../coordinator/ci/jobs/schema.js'
import { RequestError } from '../../../api/client.js'
import { CodeLines } from '../../../code/code-lines.js'
import { FileBar } from '../../../code/file-bar.js'
import { ShownFile } from '../../../code/shown-file.js'
import { linesOf } from '../../../code/text-lines.js'
import { useHighlight } from '../../../code/use-highlight.js'
import { useTitle } from '../../../frame/document-title.js'
import { useLocation, useSearch } from '../../../frame/location.js'
import { Problem } from '../../../frame/problem.js'
import { useJob } from '../../../job-log/use-job.js'
import { Alert } from '../../../kit/alert.js'
import { LinkButton } from '../../../kit/button.js'
import { formatBytes, formatCount } from '../../../kit/bytes.js'
import { CopyButton } from '../../../kit/copy-button.js'
import { Empty } from '../../../kit/empty.js'
import { Box } from '../../../kit/panel.js'
import { Skeleton } from '../../../kit/skeleton.js'
import { fileAddress, folderOf, nameOf, openAddress } from '../artifact-paths.js'
import { ArtifactsFrame } from '../artifacts-frame.js'
import { prettyJson } from './pretty-json.js'
import { isShown, type ReadArtifact, readArtifact } from './read-artifact.js'
import { readReport } from './read-report.js'
import { ReportView } from './report-view.js'

interface PageParams {
  project: string
  id: string
  path: string
}

/** A file of the artifacts of a job. */
export function Page({ params: { project, id, path } }: { params: PageParams }) {
  const { job } = useJob(project, id)
  useTitle(`${nameOf(path)} · job #${id}`)
  return (
    <ArtifactsFrame
      title="Artifact"
      project={project}
      job={job}
      path={path}
      actions={(record, isShown) =>
        isShown && (
          <LinkButton icon={Download} data-reload="" href={fileAddress(project, record.id, path)}>
            Download
          </LinkButton>
        )
      }
    >
      {(record) => <FileView key={path} project={project} job={record} path={path} />}
    </ArtifactsFrame>
  )
}

interface FileProps {
  project: string
  job: DetailedJob
  path: string
}

function FileView({ project, job, path }: FileProps) {
  const file = useArtifact(project, job.id, path)
  if (file.error?.status === 404) return <NoFile project={project} job={job} path={path} />
  if (file.error) return <Problem error={file.error} retry={file.refetch} />
  return (
    <Box label="File">
      {file.data ? (
        <Content project={project} job={job} path={path} file={file.data} />
      ) : (
        <Skeleton rows={12} />
      )}
    </Box>
  )
}

function useArtifact(project: string, jobId: number, path: string) {
  const [read, setRead] = useState<{ data?: ReadArtifact; error?: RequestError }>({})
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    const abort = new AbortController()
    setRead({})
    readArtifact(project, jobId, path, abort.signal).then(
      (data) => {
        if (!abort.signal.aborted) setRead({ data })
      },
      (error: unknown) => {
        if (abort.signal.aborted) return
        if (!(error instanceof RequestError)) throw error
        setRead({ error })
      },
    )
    return () => abort.abort()
  }, [project, jobId, path, attempt])
  return { ...read, refetch: () => setAttempt(attempt + 1) }
}

function NoFile({ project, job, path }: FileProps) {
  const folder = addressOf('jobs/artifacts', { project, id: String(job.id), path: folderOf(path) })
  return (
    <Box label="File">
      <Empty
        icon={FileQuestionMark}
        title="The artifacts have no such file."
        action={<LinkButton href={folder}>Open its folder</LinkButton>}
      />
    </Box>
  )
}

interface ContentProps extends FileProps {
  file: ReadArtifact
}

function Content({ project, job, path, file }: ContentProps) {
  const [search] = useSearch()
  const { hash } = useLocation()
  const pretty = useMemo(() => prettyJson(path, file.text), [path, file.text])
  const report = useMemo(
    () => (file.isCut ? undefined : readReport(path, file.text)),
    [path, file.isCut, file.text],
  )
  const isSource = search.get('view') === 'source' || hash.startsWith('#L')
  const here = { project, id: String(job.id), path }
  const hasViews = pretty !== undefined || report !== undefined || file.kind === 'html'
  const text = pretty !== undefined && !isSource ? pretty : file.text
  const isReport = report !== undefined && !isSource
  const hasText = (file.kind === 'text' && !isReport) || (file.kind === 'html' && isSource)
  return (
    <>
      <FileBar
        views={
          hasViews
            ? {
                label: file.kind === 'html' ? 'Page' : report ? 'Report' : 'Formatted',
                href: addressOf('jobs/artifact', here),
                sourceHref: addressOf('jobs/artifact', here, { view: 'source' }),
                isSource,
              }
            : undefined
        }
        facts={
          <>
            {formatBytes(file.size)}
            {hasText && !file.isCut && ` · ${lineCount(text)}`}
          </>
        }
      >
        {hasText && !file.isCut && <CopyButton text={text} label="Copy the content" />}
      </FileBar>
      {isReport ? (
        <ReportView project={project} sha={job.commit?.id} report={report} />
      ) : hasText ? (
        <Text path={path} text={text} isCut={file.isCut} />
      ) : (
        <Other
          path={path}
          kind={file.kind}
          address={fileAddress(project, job.id, path)}
          pageAddress={openAddress(project, job.id, path)}
        />
      )}
    </>
  )
}

function lineCount(text: string): string {
  const count = linesOf(text).length
  return `${formatCount(count)} ${count === 1 ? 'line' : 'lines'}`
}

function Text({ path, text, isCut }: { path: string; text: string; isCut: boolean }) {
  const lines = useMemo(() => linesOf(text), [text])
  const colored = useHighlight(path, isCut ? undefined : text)
  if (text === '') return <Empty icon={FileCode} title="This file is empty." />
  return (
    <>
      {isCut && (
        <Alert tone="info">
          The file is too large to show. This is its beginning; download it for the rest.
        </Alert>
      )}
      <CodeLines label={`Content of ${nameOf(path)}`} lines={lines} colored={colored} />
    </>
  )
}

interface OtherProps {
  path: string
  kind: ReadArtifact['kind']
  address: string
  pageAddress: string
}

function Other({ path, kind, address, pageAddress }: OtherProps) {
  const download = (
    <LinkButton icon={Download} data-reload="" href={address}>
      Download
    </LinkButton>
  )
  if (isShown(kind)) {
    return <ShownFile kind={kind} src={`${address}?inline=true`} name={nameOf(path)} />
  }
  if (kind === 'html') {
    return (
      <Empty
        icon={PanelsTopLeft}
        title="This is a page."
        action={
          <LinkButton icon={PanelsTopLeft} target="_blank" href={pageAddress}>
            Open as page
          </LinkButton>
        }
      >
        It opens in a tab of its own, with its scripts and links, and without your session.
      </Empty>
    )
  }
  return (
    <Empty icon={FileCode} title="This is a binary file." action={download}>
      Download it to see its content.
    </Empty>
  )
}
