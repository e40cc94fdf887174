import { addressOf } from '../../../../addresses/address-of.js'
import { formatCount } from '../../../kit/bytes.js'
import { formatDuration } from '../../../kit/durations.js'
import { Empty } from '../../../kit/empty.js'
import { Rows } from '../../../kit/rows.js'
import { StatusIcon } from '../../../kit/status.js'
import { repositoryPath } from '../../../log/file-references.js'
import { MarkedText } from '../../../text/marked-text.js'
import { type CoveredFile, percentOf, type Report, type ReportedCase } from './read-report.js'
import styles from './report-view.module.css'

/** More tests are in the source. */
const MAX_CASES = 500
const FILE_HEIGHT = 36

interface ReportViewProps {
  project: string
  /** The commit of the job, where the files are. */
  sha: string | undefined
  report: Report
}

/** A report of tests or of coverage, as a list. */
export function ReportView({ project, sha, report }: ReportViewProps) {
  if (report.kind === 'tests') return <Tests cases={report.cases} />
  return <Coverage project={project} sha={sha} files={report.files} />
}

function Tests({ cases }: { cases: readonly ReportedCase[] }) {
  if (cases.length === 0) return <Empty title="This report has no tests." />
  const count = (status: ReportedCase['status']) => cases.filter((each) => each.status === status).length
  const failed = count('failed')
  return (
    <>
      <div class={styles['totals']}>
        <span>{formatCount(cases.length)} tests</span>
        <span class={failed > 0 ? styles['failed'] : undefined}>{formatCount(failed)} failed</span>
        <span>{formatCount(count('skipped'))} skipped</span>
        <span>{formatDuration(cases.reduce((sum, { seconds = 0 }) => sum + seconds, 0))}</span>
      </div>
      <ul class={styles['cases']} aria-label="Tests">
        {cases.slice(0, MAX_CASES).map((each, index) => (
          <Case key={index} {...each} />
        ))}
      </ul>
      {cases.length > MAX_CASES && (
        <p class={styles['more']}>and {formatCount(cases.length - MAX_CASES)} more, which the source has</p>
      )}
    </>
  )
}

function Case({ suite, name, classname, status, seconds, output }: ReportedCase) {
  const where = [suite, classname].filter((text) => text !== '').join(' · ')
  return (
    <li class={styles['case']}>
      <div class={styles['head']}>
        <StatusIcon status={status} />
        <span class={styles['name']}>
          {name}
          {where !== '' && <span class={styles['where']}>{where}</span>}
        </span>
        <span class={styles['quiet']}>{seconds !== undefined && formatDuration(seconds)}</span>
      </div>
      {output !== '' && (
        // It scrolls, so the keyboard must reach it.
        <pre class={styles['output']} tabIndex={0} role="region" aria-label={`Output of ${name}`}>
          <MarkedText text={output} />
        </pre>
      )}
    </li>
  )
}

function Coverage({
  project,
  sha,
  files,
}: Omit<ReportViewProps, 'report'> & { files: readonly CoveredFile[] }) {
  if (files.length === 0) return <Empty title="This report covers no files." />
  const covered = files.reduce((sum, file) => sum + file.covered, 0)
  const lines = files.reduce((sum, file) => sum + file.lines, 0)
  return (
    <>
      <div class={styles['totals']}>
        <span>{percentText({ covered, lines })} of the lines</span>
        <span>
          {formatCount(covered)} of {formatCount(lines)}
        </span>
        <span>
          {formatCount(files.length)} {files.length === 1 ? 'file' : 'files'}
        </span>
      </div>
      <Rows
        label="Coverage by file"
        role="list"
        count={files.length}
        rowHeight={FILE_HEIGHT}
        class={styles['rows']}
        render={(index) => {
          const file = files[index]
          return file && <FileRow key={file.path} project={project} sha={sha} file={file} />
        }}
      />
    </>
  )
}

function FileRow({ project, sha, file }: Omit<ReportViewProps, 'report'> & { file: CoveredFile }) {
  const percent = percentOf(file) ?? 0
  const inside = repositoryPath(file.path, project)
  return (
    <div role="listitem" class={styles['file']} title={`${file.covered} of ${file.lines} lines`}>
      {inside !== undefined && sha !== undefined ? (
        <a
          class={styles['path']}
          data-entry=""
          href={addressOf('code/file', { project, ref_path: `${sha}/${inside}` })}
        >
          {file.path}
        </a>
      ) : (
        <span class={styles['path']}>{file.path}</span>
      )}
      <svg class={styles['bar']} viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect width={percent} height="8" />
      </svg>
      <span class={styles['percent']}>{percentText(file)}</span>
    </div>
  )
}

function percentText(counts: Pick<CoveredFile, 'covered' | 'lines'>): string {
  const percent = percentOf(counts)
  // 100 % is only what is covered completely.
  return percent === undefined ? '–' : `${(Math.floor(percent * 10) / 10).toFixed(1).replace(/\.0$/, '')} %`
}
