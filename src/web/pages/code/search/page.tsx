import { SearchCode } from 'lucide'

import { addressOf, queryOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { FullProject } from '../../../../coordinator/hosting/projects/record/schema.js'
import type { FoundBlob } from '../../../../coordinator/planning/search/schema.js'
import { boot } from '../../../api/boot.js'
import { useRead, useReadList } from '../../../api/use-read.js'
import { RefPicker } from '../../../code/ref-picker.js'
import { useTitle } from '../../../frame/document-title.js'
import { useSearch } from '../../../frame/location.js'
import { ReadRows } from '../../../frame/problem.js'
import { Empty } from '../../../kit/empty.js'
import { LoadMore } from '../../../kit/load-more.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { SearchField } from '../../../kit/search-field.js'
import { MarkedText } from '../../../text/marked-text.js'
import { joinRefPath } from '../split-ref-path.js'
import { filesOf, firstHit, type FoundFile, type FoundLine } from './find-hits.js'
import styles from './page.module.css'

/** Shorter texts are in almost every line. */
const SHORTEST = 2

/** Finds lines of the files of a branch, tag or commit. */
export function Page({ params: { project } }: { params: { project: string } }) {
  useTitle(`Search code · ${project}`)
  const [query, setQuery] = useSearch()
  const search = query.get('search') ?? ''
  const record = useRead<FullProject>(projectApi(project)).data
  const refName = query.get('ref') ?? record?.default_branch ?? ''
  const isSearched = boot.user !== null && search.length >= SHORTEST && refName !== ''
  const list = useReadList<FoundBlob>(
    isSearched
      ? `${projectApi(project)}/search${queryOf({ scope: 'blobs', search, ref: refName, per_page: 20 })}`
      : undefined,
    { keepsPrevious: true },
  )
  const { result, hasMore, more } = list
  const files = filesOf(list.rows, search)
  return (
    <>
      <PageHeader
        title="Search code"
        actions={
          refName !== '' && (
            <RefPicker
              project={project}
              current={refName}
              hrefOf={(name) =>
                addressOf('code/search', { project }, { search: search || undefined, ref: name })
              }
            />
          )
        }
      />
      <SearchField
        label="Text in files"
        placeholder="Text in files"
        value={search}
        onSearch={(text) => setQuery({ search: text.trim() })}
        class={styles['search']}
      />
      <p class={styles['hint']}>
        Only in some files: <code>path:src</code>, <code>filename:*.test.ts</code>, <code>extension:md</code>.
        In all others: <code>-path:vendor</code>.
      </p>
      {record?.default_branch === null ? (
        <Empty icon={SearchCode} title="The repository is empty." />
      ) : boot.user === null ? (
        <Empty icon={SearchCode} title="Sign in to search code." />
      ) : (
        isSearched && (
          <ReadRows
            of={{ rows: files, result }}
            outline={8}
            empty={<Empty icon={SearchCode} title={`No file of ${refName} contains this.`} />}
          >
            {files.map((file) => (
              <File key={file.path} {...{ project, refName, file }} />
            ))}
          </ReadRows>
        )
      )}
      {isSearched && hasMore && <LoadMore of="files" isBusy={result.isFetchingNextPage} onMore={more} />}
    </>
  )
}

interface FileProps {
  project: string
  refName: string
  file: FoundFile
}

function File({ project, refName, file }: FileProps) {
  const href = addressOf('code/file', { project, ref_path: joinRefPath(refName, file.path) })
  return (
    <Panel
      isFlush
      class={styles['file']}
      title={
        <a class={styles['path']} href={`${href}#L${firstHit(file)}`}>
          {file.path}
        </a>
      }
    >
      <div class={styles['runs']} tabIndex={0} role="group" aria-label={`Lines of ${file.path}`}>
        {file.runs.map((lines) => (
          <ol key={lines[0]?.number} class={styles['lines']}>
            {lines.map((line) => (
              <Line key={line.number} line={line} href={`${href}#L${line.number}`} />
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
        {parts.map(({ text, isHit }, index) =>
          isHit ? (
            <mark key={index}>
              <MarkedText text={text} />
            </mark>
          ) : (
            <MarkedText key={index} text={text} />
          ),
        )}
      </span>
    </li>
  )
}
