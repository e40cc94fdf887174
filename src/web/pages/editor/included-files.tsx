import { ArrowLeft, ExternalLink, FileInput } from 'lucide'
import { useEffect, useMemo, useRef } from 'preact/hooks'

import type { LintedInclude } from '../../../coordinator/ci/lint/schema.js'
import { CodeLines } from '../../code/code-lines.js'
import { linesOf } from '../../code/text-lines.js'
import { useFile } from '../../code/use-file.js'
import { useHighlight } from '../../code/use-highlight.js'
import { useSearch } from '../../frame/location.js'
import { Problem } from '../../frame/problem.js'
import { Badge } from '../../kit/badge.js'
import { LinkButton } from '../../kit/button.js'
import { Empty } from '../../kit/empty.js'
import { Icon } from '../../kit/icon.js'
import { Skeleton } from '../../kit/skeleton.js'
import { type BlobAtCommit, parseBlobAddress } from './blob-address.js'
import styles from './included-files.module.css'
import { tabHref } from './tab-href.js'

/** The files that a CI file includes, at their commits; `?file=` names the one that is shown. */
export function IncludedFiles({ includes }: { includes: readonly LintedInclude[] }) {
  const [search] = useSearch()
  const shown = includes.find(({ location }) => location === search.get('file'))
  const blob = shown?.blob ? parseBlobAddress(shown.blob) : undefined
  if (shown?.blob && blob) return <IncludedFile key={shown.blob} blob={blob} href={shown.blob} />
  if (includes.length === 0) {
    return (
      <Empty icon={FileInput} title="The file includes no others.">
        <code>include</code> merges files of this repository, of other projects and of other servers into it.
      </Empty>
    )
  }
  return (
    <ul class={styles['files']} aria-label="Included files">
      {includes.map(({ type, location, blob, raw, context_project: project, context_sha: sha }, index) => {
        const href = blob === null ? raw : tabHref(search, 'includes', location)
        return (
          <li key={index}>
            <span class={styles['name']}>
              {href === null ? location : <a href={href}>{location}</a>}
              <Badge>{type}</Badge>
            </span>
            {project !== null && (
              <small>
                included by {project} {sha !== null && <code>{sha.slice(0, 8)}</code>}
              </small>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** The content of an included file, beside the file that is edited. The hash of the address names a line of it. */
function IncludedFile({ blob: { project, sha, path }, href }: { blob: BlobAtCommit; href: string }) {
  const [search] = useSearch()
  const { data, error, refetch } = useFile(project, sha, path)
  const bar = useRef<HTMLDivElement>(null)
  // On a narrow screen, it is below the editor and may be out of sight after a click on a problem.
  useEffect(() => bar.current?.scrollIntoView({ block: 'nearest' }), [])
  const lines = useMemo(() => linesOf(data?.text ?? ''), [data])
  const colored = useHighlight(path, data?.text)
  return (
    <>
      <div ref={bar} class={styles['bar']}>
        <LinkButton size="small" icon={ArrowLeft} href={tabHref(search, 'includes')}>
          All files
        </LinkButton>
        <span class={styles['path']} title={`${project}: ${path}`}>
          {path} <code>{sha.slice(0, 8)}</code>
        </span>
        <a class={styles['open']} href={href} target="_blank">
          Open <Icon icon={ExternalLink} size={14} />
        </a>
      </div>
      {error ? (
        <Problem error={error} retry={refetch} />
      ) : data ? (
        <CodeLines label={`Content of ${path}`} lines={lines} colored={colored} />
      ) : (
        <Skeleton rows={8} />
      )}
    </>
  )
}
