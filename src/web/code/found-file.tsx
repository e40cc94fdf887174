import { addressOf } from '../../addresses/address-of.js'
import { Panel } from '../kit/panel.js'
import { firstHit, type FoundFile, type FoundLine } from './find-hits.js'
import styles from './found-file.module.css'
import { Hits } from './hits.js'

interface FoundFilePanelProps {
  /** Path of the project, or of the group whose wiki it is in. */
  owner: string
  file: FoundFile
  /** The heading names the owner. */
  showsOwner?: boolean
  /** The page of the file, if it is no file of the repository; its lines have no addresses. */
  page?: string
}

/** A file that a search has found, with its lines. */
export function FoundFilePanel({ owner, file, showsOwner = false, page }: FoundFilePanelProps) {
  const href = page ?? addressOf('code/file', { project: owner, ref_path: `${file.ref}/${file.path}` })
  const hrefOf = (line: number) => (page === undefined ? `${href}#L${line}` : href)
  return (
    <Panel
      isFlush
      class={styles['file']}
      title={
        <a class={styles['path']} href={hrefOf(firstHit(file))} data-entry="">
          {showsOwner && <span class={styles['project']}>{owner} / </span>}
          {file.path}
        </a>
      }
    >
      <div class={styles['runs']} tabIndex={0} role="group" aria-label={`Lines of ${file.path}`}>
        {file.runs.map((lines) => (
          <ol key={lines[0]?.number} class={styles['lines']}>
            {lines.map((line) => (
              <Line key={line.number} line={line} href={hrefOf(line.number)} />
            ))}
          </ol>
        ))}
      </div>
    </Panel>
  )
}

function Line({ line: { number, parts }, href }: { line: FoundLine; href: string }) {
  return (
    <li class={styles['line']}>
      <a class={styles['number']} href={href} aria-label={`Line ${number}`}>
        {number}
      </a>
      <span class={styles['text']}>
        <Hits parts={parts} />
      </span>
    </li>
  )
}
