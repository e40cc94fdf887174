import { useMemo } from 'preact/hooks'

import { queryOf } from '../../../addresses/address-of.js'
import { useRead } from '../../api/use-read.js'
import type { DiffEntry } from '../../code/diff-files.js'
import { parseDiff } from '../../code/parse-diff.js'
import { Read } from '../../frame/problem.js'
import { classNames } from '../../kit/class-names.js'
import { MarkedText } from '../../text/marked-text.js'
import styles from './page-diff.module.css'
import { pageApi, type WikiOwner } from './wiki-owner.js'

interface PageDiffProps {
  owner: WikiOwner
  slug: string
  /** The commit before the change; by default the parent of the later one. */
  from?: string | undefined
  to: string
}

/** The changes of a page between two commits of the wiki. Its long lines wrap: they are paragraphs. */
export function PageDiff({ owner, slug, from, to }: PageDiffProps) {
  const read = useRead<DiffEntry[]>(`${pageApi(owner, slug)}/diff${queryOf({ from, to })}`)
  return (
    <Read of={read}>
      {(entries) =>
        entries.length === 0 ? (
          <p class={styles['none']}>The text of the page is the same.</p>
        ) : (
          entries.map((entry) => <FileChange key={entry.new_path} entry={entry} />)
        )
      }
    </Read>
  )
}

const SIGNS = { same: ' ', added: '+', removed: '−' }

function FileChange({ entry }: { entry: DiffEntry }) {
  const { old_path: before, new_path: after, diff, too_large: isTooLarge } = entry
  const { hunks } = useMemo(() => parseDiff(diff), [diff])
  return (
    <section class={styles['file']} aria-label={`Changes of ${after}`}>
      <h2 class={styles['path']}>{before === after ? after : `${before} → ${after}`}</h2>
      {hunks.length === 0 && (
        <p class={styles['none']}>
          {isTooLarge
            ? 'The change is too large to show. Clone the wiki to see it.'
            : 'The text is the same.'}
        </p>
      )}
      {hunks.map((hunk) => (
        <div key={hunk.newStart} class={styles['hunk']}>
          {hunk.lines.map((line, index) => (
            <div key={index} class={classNames(styles['line'], styles[line.kind])}>
              <span class={styles['sign']}>{SIGNS[line.kind]}</span>
              <span class={styles['text']}>
                <MarkedText text={line.text} />
              </span>
            </div>
          ))}
        </div>
      ))}
    </section>
  )
}
