import { FileText, History } from 'lucide'
import { useMemo } from 'preact/hooks'

import { addressOf, queryOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { BlameRange } from '../../../../coordinator/hosting/files/schema.js'
import { useRead } from '../../../api/use-read.js'
import code from '../../../code/code-rows.module.css'
import { Pieces } from '../../../code/pieces.js'
import { widestLine } from '../../../code/text-lines.js'
import { useHighlight } from '../../../code/use-highlight.js'
import { useTitle } from '../../../frame/document-title.js'
import { navigate } from '../../../frame/location.js'
import { Read } from '../../../frame/problem.js'
import { LinkButton } from '../../../kit/button.js'
import { classNames } from '../../../kit/class-names.js'
import { Empty } from '../../../kit/empty.js'
import { Box } from '../../../kit/panel.js'
import { Rows } from '../../../kit/rows.js'
import { Skeleton } from '../../../kit/skeleton.js'
import { fullDate, Time } from '../../../kit/time.js'
import { HiddenWarning } from '../../../text/hidden-warning.js'
import { MarkedText } from '../../../text/marked-text.js'
import { CodeHeader } from '../code-header.js'
import { joinRefPath } from '../split-ref-path.js'
import { useRefPath } from '../use-ref-path.js'
import { blameLines } from './blame-lines.js'
import styles from './page.module.css'

const ROW_HEIGHT = 20

/** The commit that changed each line of a file last. */
export function Page({
  params: { project, ref_path: refPath },
}: {
  params: Record<'project' | 'ref_path', string>
}) {
  return (
    <Read of={useRefPath(project, refPath)} title="Blame">
      {({ ref, path }) => <Blame key={joinRefPath(ref, path)} project={project} refName={ref} path={path} />}
    </Read>
  )
}

interface BlameProps {
  project: string
  refName: string
  path: string
}

function Blame({ project, refName, path }: BlameProps) {
  useTitle(`Blame · ${path} · ${project}`)
  const file = `${projectApi(project)}/repository/files/${encodeURIComponent(path)}`
  const blame = useRead<BlameRange[]>(`${file}/blame${queryOf({ ref: refName })}`)
  const refPath = joinRefPath(refName, path)
  return (
    <>
      <CodeHeader
        project={project}
        refName={refName}
        path={path}
        label="Blame"
        hrefOf={(name) => addressOf('code/blame', { project, ref_path: joinRefPath(name, path) })}
      >
        <LinkButton icon={FileText} href={addressOf('code/file', { project, ref_path: refPath })}>
          View file
        </LinkButton>
        <LinkButton icon={History} href={addressOf('code/commits', { project, ref_path: refPath })}>
          History
        </LinkButton>
      </CodeHeader>
      <Box label="Blame">
        <Read of={blame} loading={<Skeleton rows={12} />}>
          {(ranges) => <Lines project={project} path={path} ranges={ranges} />}
        </Read>
      </Box>
    </>
  )
}

interface LinesProps {
  project: string
  path: string
  ranges: readonly BlameRange[]
}

/**
 * The lines with their commits. A line is lower than what a finger needs: its commit acts by `data-sha`; the history of
 * the file lists the same commits as links.
 */
function Lines({ project, path, ranges }: LinesProps) {
  const lines = useMemo(() => blameLines(ranges), [ranges])
  const texts = useMemo(() => lines.map(({ text }) => text), [lines])
  const colored = useHighlight(
    path,
    useMemo(() => texts.join('\n'), [texts]),
  )
  const widest = useMemo(() => widestLine(texts), [texts])
  if (lines.length === 0) return <Empty icon={FileText} title="This file is empty." />
  const onClick = ({ target }: MouseEvent) => {
    const commit = target instanceof Element ? target.closest<HTMLElement>('[data-sha]') : null
    const sha = commit?.dataset['sha']
    if (sha !== undefined) navigate(addressOf('code/commit', { project, sha }))
  }
  return (
    <>
      <HiddenWarning of="This file" lines={texts} />
      <div class={styles['box']} onClick={onClick}>
        <Rows
          label={`Blame of ${path.slice(path.lastIndexOf('/') + 1)}`}
          count={lines.length}
          rowHeight={ROW_HEIGHT}
          class={code['rows']}
          contentWidth={`max(100%, calc(${widest}ch + 480px))`}
          render={(index) => {
            const line = lines[index]
            if (!line) return null
            const { commit, isFirst, text } = line
            const pieces = colored?.[index]
            return (
              <div key={index} class={classNames(code['row'], isFirst && index > 0 && styles['first'])}>
                <span
                  class={styles['commit']}
                  {...(isFirst && {
                    'data-sha': commit.id,
                    title: `${commit.message}\n${commit.author_name}, ${fullDate(commit.authored_date)}`,
                  })}
                >
                  {isFirst && (
                    <>
                      <span class={styles['title']}>{commit.message.split('\n')[0]}</span>
                      <span class={styles['who']}>{commit.author_name}</span>
                      <span class={styles['when']}>
                        <Time value={commit.authored_date} />
                      </span>
                    </>
                  )}
                </span>
                <span class={styles['number']} aria-hidden="true">
                  {index + 1}
                </span>
                <span class={styles['text']}>
                  {pieces ? <Pieces pieces={pieces} /> : <MarkedText text={text} />}
                </span>
              </div>
            )
          }}
        />
      </div>
    </>
  )
}
