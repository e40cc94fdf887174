import { FileSearch, Search } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'

import { addressOf, queryOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { RepositoryPaths } from '../../../../coordinator/hosting/repository-contents/view-schema.js'
import { useRead } from '../../../api/use-read.js'
import { RefPicker } from '../../../code/ref-picker.js'
import { useTitle } from '../../../frame/document-title.js'
import { navigate } from '../../../frame/location.js'
import { Read } from '../../../frame/problem.js'
import { Alert } from '../../../kit/alert.js'
import { classNames } from '../../../kit/class-names.js'
import { Empty } from '../../../kit/empty.js'
import { Icon } from '../../../kit/icon.js'
import box from '../../../kit/input-box.module.css'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { startWorker } from '../../../kit/trusted.js'
import type { PathMatch } from './match-paths.js'
import type { MatchRequest, MatchResponse } from './match-worker.js'
import workerAddress from './match-worker.ts?worker&url'
import styles from './page.module.css'

/** Finds a file of a branch by some characters of its path. */
export function Page({ params: { project, ref } }: { params: Record<'project' | 'ref', string> }) {
  useTitle(`Find file · ${project}`)
  const paths = useRead<RepositoryPaths>(
    `${projectApi(project)}/repository/paths${queryOf({ ref: ref || undefined })}`,
  )
  return (
    <>
      <PageHeader
        title="Find file"
        actions={
          ref !== '' && (
            <RefPicker
              project={project}
              current={ref}
              hrefOf={(name) => addressOf('code/find-file', { project, ref: name })}
            />
          )
        }
      />
      <Read of={paths}>
        {(response) => (
          <Finder key={response.commit} project={project} refName={ref || response.commit} read={response} />
        )}
      </Read>
    </>
  )
}

interface FinderProps {
  project: string
  refName: string
  read: RepositoryPaths
}

function Finder({ project, refName, read: { paths, truncated } }: FinderProps) {
  const [text, setText] = useState(() => new URLSearchParams(location.search).get('q') ?? '')
  const [index, setIndex] = useState(0)
  const [response, setResponse] = useState<MatchResponse>()
  const worker = useRef<Worker | undefined>(undefined)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const started = startWorker(new URL(workerAddress, location.href))
    worker.current = started
    started.addEventListener('message', ({ data }: MessageEvent<MatchResponse>) => setResponse(data))
    started.postMessage({ paths } satisfies MatchRequest)
    field.current?.focus()
    return () => started.terminate()
  }, [paths])
  useEffect(() => {
    setIndex(0)
    worker.current?.postMessage({ text } satisfies MatchRequest)
  }, [paths, text])

  const matches = response?.matches ?? []
  const hrefOf = ({ path }: PathMatch) => addressOf('code/file', { project, ref_path: `${refName}/${path}` })
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setIndex((index + step + matches.length) % Math.max(1, matches.length))
    }
    const chosen = matches[index]
    if (event.key === 'Enter' && chosen && response?.text === text) navigate(hrefOf(chosen))
  }
  return (
    <>
      <label class={classNames(box['box'], styles['search'])} data-filter="">
        <Icon icon={Search} />
        <span class="visually-hidden">Path of the file</span>
        <input
          ref={field}
          type="search"
          placeholder="Characters of the path, such as srcread"
          value={text}
          spellcheck={false}
          autoComplete="off"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </label>
      {truncated && <Alert tone="info">The repository has more files than are searched here.</Alert>}
      <Panel isFlush>
        {response && matches.length === 0 ? (
          <Empty icon={FileSearch} title="No file matches." />
        ) : (
          <ul class={styles['matches']} aria-label="Files">
            {matches.map((match, row) => (
              <li key={match.path}>
                <a href={hrefOf(match)} data-current={row === index ? '' : undefined}>
                  <Marked match={match} />
                </a>
              </li>
            ))}
          </ul>
        )}
      </Panel>
    </>
  )
}

function Marked({ match: { path, at } }: { match: PathMatch }) {
  const positions = new Set(at)
  return (
    <>
      {Array.from({ length: path.length }, (_, index) =>
        positions.has(index) ? <mark key={index}>{path[index]}</mark> : path[index],
      )}
    </>
  )
}
