import { SearchCode } from 'lucide'

import { addressOf, queryOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { FullProject } from '../../../../coordinator/hosting/projects/record/schema.js'
import type { FoundBlob } from '../../../../coordinator/planning/search/schema.js'
import { boot } from '../../../api/boot.js'
import { useRead, useReadList } from '../../../api/use-read.js'
import { filesOf } from '../../../code/find-hits.js'
import { FoundFilePanel } from '../../../code/found-file.js'
import { RefPicker } from '../../../code/ref-picker.js'
import { useTitle } from '../../../frame/document-title.js'
import { LoadMore } from '../../../frame/load-more.js'
import { useSearch } from '../../../frame/location.js'
import { ReadRows } from '../../../frame/problem.js'
import { Empty } from '../../../kit/empty.js'
import { PageHeader } from '../../../kit/panel.js'
import { SearchField } from '../../../kit/search-field.js'
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
  const { result, next } = list
  const files = filesOf(list.rows, search)
  return (
    <>
      <PageHeader
        title="Search code"
        details={
          <a
            href={addressOf(
              'search',
              {},
              { search: search || undefined, scope: 'issues', project_id: project },
            )}
          >
            Search issues, merge requests and more
          </a>
        }
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
              <FoundFilePanel key={file.path} owner={project} file={file} />
            ))}
          </ReadRows>
        )
      )}
      {isSearched && <LoadMore of="files" next={next} />}
    </>
  )
}
