import { setDiagnostics } from '@codemirror/lint'
import { CircleCheck, CircleX, LoaderCircle, TriangleAlert } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'

import type { CiKeywords, LintReport } from '../../../coordinator/ci/lint/schema.js'
import { DAY } from '../../../lib/time-units.js'
import { useRead } from '../../api/use-read.js'
import { type EditorHandle, TextEditor } from '../../editor/text-editor.js'
import { useSearch } from '../../frame/location.js'
import { Problem } from '../../frame/problem.js'
import { useLoaded } from '../../frame/use-loaded.js'
import { Alert } from '../../kit/alert.js'
import { CopyButton } from '../../kit/copy-button.js'
import { Empty } from '../../kit/empty.js'
import { Icon } from '../../kit/icon.js'
import { Skeleton } from '../../kit/skeleton.js'
import { Tabs } from '../../kit/tabs.js'
import { ciExtensions, diagnosticsOf, type KnownCi } from './ci-extensions.js'
import { JobsOfEvent, WhyNot } from './decisions.js'
import { EventPicker } from './event-picker.js'
import { ProblemList } from './problem-list.js'
import { CHECKED_FILE, problemsOf } from './problems-of.js'
import { stagesOf } from './stages-of.js'
import { tabHref } from './tab-href.js'
import { type LintEvent, useLint } from './use-lint.js'
import styles from './workbench.module.css'
import { lineOfJob } from './yaml-position.js'

const TABS = [
  ['', 'Jobs'],
  ['graph', 'Graph'],
  ['merged', 'Merged'],
  ['includes', 'Includes'],
  ['why', 'Why not'],
] as const

interface WorkbenchProps {
  project: string
  /** The branch or tag of the file; empty in an empty repository. */
  refName: string
  path: string
  text: string
  onInput: (text: string) => void
  /** The reader may have a text of their own checked; otherwise the committed file is. */
  mayCheck: boolean
  /** Nobody without an account may have a file checked. */
  isSignedIn: boolean
  /** The text with which the marks of changes compare. */
  compareTo?: string | undefined
  /** Buttons beside the number of problems. */
  actions?: ComponentChildren
}

/** A CI file in an editor, beside what it would do for an event. */
export function Workbench({
  project,
  refName,
  path,
  text,
  onInput,
  mayCheck,
  isSignedIn,
  compareTo,
  actions,
}: WorkbenchProps) {
  const [search] = useSearch()
  const tab = TABS.find(([value]) => value === search.get('tab'))?.[0] ?? ''
  const [event, setEvent] = useState<LintEvent>({ ref: refName || undefined, source: 'push' })
  const editor = useRef<EditorHandle>(null)
  const keywords = useRead<CiKeywords>('/ci/keywords', { staleTime: DAY })
  const known = useRef<KnownCi>({ maps: undefined, jobs: [] })
  const { report, error, isStale } = useLint(project, {
    content: mayCheck ? text : undefined,
    event,
    isEnabled: isSignedIn,
  })
  known.current = { maps: keywords.data?.maps, jobs: report?.event?.jobs ?? known.current.jobs }
  const problems = useMemo(() => (report ? problemsOf(report) : []), [report])
  const file = mayCheck ? CHECKED_FILE : path
  useEffect(() => {
    const view = editor.current?.view()
    // Problems of an earlier text would be marked at wrong positions.
    if (view && !isStale)
      view.dispatch(setDiagnostics(view.state, diagnosticsOf(view.state.doc, problems, file)))
  }, [problems, isStale, file])
  const extensions = useMemo(() => ciExtensions(() => known.current), [])
  const show = (name: string) => {
    const line = lineOfJob(text, name)
    if (line !== undefined) editor.current?.show(line)
  }
  const leftOut = report?.event?.jobs.filter(({ included }) => !included).length ?? 0
  return (
    <div class={styles['columns']}>
      <section class={styles['panel']} aria-label="Editor">
        <div class={styles['bar']}>
          <State report={report} isStale={isStale} isSignedIn={isSignedIn} problems={problems} />
          <span class={styles['space']} />
          <CopyButton text={text} label="Copy the file" />
          {actions}
        </div>
        <div class={styles['text']}>
          <TextEditor
            label={`Content of ${path}`}
            value={text}
            onInput={onInput}
            path={path}
            isReadOnly={!mayCheck}
            compareTo={compareTo}
            extensions={extensions}
            handle={editor}
          />
        </div>
        <div class={styles['problems']}>
          {report && (
            <ProblemList
              problems={problems}
              file={file}
              includes={report.includes}
              onShow={(line, column) => editor.current?.show(line, column)}
            />
          )}
        </div>
      </section>
      <section class={styles['panel']} aria-label="What the file does">
        <Tabs
          label="What the file does"
          tabs={TABS.map(([value, label]) => ({
            label,
            href: tabHref(search, value),
            isCurrent: value === tab,
            count:
              value === 'includes'
                ? report?.includes.length || undefined
                : value === 'why'
                  ? leftOut || undefined
                  : undefined,
          }))}
        />
        {refName !== '' && isSignedIn && tab !== 'merged' && tab !== 'includes' && (
          <div class={styles['bar']}>
            <EventPicker {...{ project, refName, event }} onChange={setEvent} />
          </div>
        )}
        <div class={styles['result']} tabIndex={0} role="region" aria-label="Result" aria-busy={isStale}>
          {!isSignedIn ? (
            <Empty icon={CircleCheck} title="Sign in to see what the file does." />
          ) : (
            <>
              {error && (
                <div class={styles['error']}>
                  {error.status === 400 ? (
                    <Alert tone="warning">{error.message}</Alert>
                  ) : (
                    <Problem error={error} />
                  )}
                </div>
              )}
              {!report ? (
                !error && <Skeleton rows={8} />
              ) : error ? null : tab === 'graph' ? (
                <PlannedGraph report={report} onShow={show} />
              ) : tab === 'merged' ? (
                <LoadedMergedFile report={report} />
              ) : tab === 'includes' ? (
                <LoadedIncludedFiles includes={report.includes} />
              ) : tab === 'why' ? (
                <WhyNot report={report} onShow={show} />
              ) : (
                <JobsOfEvent report={report} onShow={show} />
              )}
            </>
          )}
        </div>
      </section>
    </div>
  )
}

/** The merged file is loaded with its tab. */
function LoadedMergedFile(props: { report: LintReport }) {
  const part = useLoaded(() => import('./merged-file.js'))
  return part ? <part.MergedFile {...props} /> : <Skeleton rows={8} />
}

/** The included files are loaded with their tab. */
function LoadedIncludedFiles(props: { includes: LintReport['includes'] }) {
  const part = useLoaded(() => import('./included-files.js'))
  return part ? <part.IncludedFiles {...props} /> : <Skeleton rows={4} />
}

const NO_JOBS: NonNullable<LintReport['jobs']> = []

/** The graph is loaded with its tab. */
function PlannedGraph({ report, onShow }: { report: LintReport; onShow: (name: string) => void }) {
  const part = useLoaded(() => import('./planned-pipeline.js'))
  const { jobs = NO_JOBS } = report
  const stages = useMemo(() => stagesOf(jobs), [jobs])
  return part ? <part.PlannedPipeline {...{ jobs, stages, onShow }} /> : <Skeleton rows={8} />
}

interface StateProps {
  report: LintReport | undefined
  isStale: boolean
  isSignedIn: boolean
  problems: ReturnType<typeof problemsOf>
}

/** The number of problems, for eyes and screen readers. */
function State({ report, isStale, isSignedIn, problems }: StateProps) {
  const errors = problems.filter(({ severity }) => severity === 'error').length
  const warnings = problems.length - errors
  return (
    <p class={styles['state']} role="status">
      {!report ? (
        isSignedIn && (
          <span class={styles['quiet']}>
            <Icon icon={LoaderCircle} /> Checking…
          </span>
        )
      ) : problems.length === 0 ? (
        <span class={styles['valid']}>
          <Icon icon={CircleCheck} /> Valid
        </span>
      ) : (
        <>
          {errors > 0 && (
            <span class={styles['invalid']}>
              <Icon icon={CircleX} /> {count(errors, 'error')}
            </span>
          )}
          {warnings > 0 && (
            <span class={styles['warned']}>
              <Icon icon={TriangleAlert} /> {count(warnings, 'warning')}
            </span>
          )}
        </>
      )}
      {report && isStale && <span class={styles['quiet']}>Checking…</span>}
    </p>
  )
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`
}
