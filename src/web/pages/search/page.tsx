import { Search as SearchIcon, X } from 'lucide'
import { useEffect, useState } from 'preact/hooks'

import { addressOf } from '../../../addresses/address-of.js'
import { groupRecord, projectApi } from '../../../addresses/first-reads.js'
import { boot } from '../../api/boot.js'
import { useRead, useReadList } from '../../api/use-read.js'
import { useTitle } from '../../frame/document-title.js'
import { LoadMore } from '../../frame/load-more.js'
import { useSearch } from '../../frame/location.js'
import { ReadRows } from '../../frame/problem.js'
import { Alert } from '../../kit/alert.js'
import { LinkButton } from '../../kit/button.js'
import { formatCount } from '../../kit/bytes.js'
import { Empty } from '../../kit/empty.js'
import { useEntryKeys } from '../../kit/entry-keys.js'
import { Select } from '../../kit/field.js'
import { PageHeader } from '../../kit/panel.js'
import { SearchField } from '../../kit/search-field.js'
import { Tabs } from '../../kit/tabs.js'
import styles from './page.module.css'
import { Results } from './results.js'
import {
  chooseScope,
  ownerIn,
  type Scope,
  SCOPES,
  scopesOf,
  type SearchOwner,
  searchPath,
  statesOf,
} from './scopes.js'
import { useCounts } from './use-counts.js'

/** Finds records of one kind in the instance, in a group or in a project. */
export function Page() {
  useTitle('Search')
  const [query, setQuery] = useSearch()
  const text = (query.get('search') ?? '').trim()
  const owner = ownerIn(query)
  const scopes = scopesOf(owner)
  const isSearched = boot.user !== null && text !== ''
  // Of the search whose results were shown: another kind of them is no other search.
  const key = `${owner.kind} ${owner.id} ${text}`
  const [shown, setShown] = useState('')
  const counts = useCounts(owner, isSearched ? text : undefined, shown === key)
  const scope = chooseScope(scopes, query.get('scope'), counts)
  const states = statesOf(scope)
  const state = states.find(([value]) => value === query.get('state'))?.[0] ?? ''
  useEntryKeys()
  const list = useReadList<object>(isSearched ? searchPath(owner, scope, text, state) : undefined)
  const { rows, total, result, hasMore, next } = list
  useEffect(() => {
    if (result.isSuccess) setShown(key)
  }, [result.isSuccess, key])
  /** What is shown was counted further than the first page. */
  const countOf = (each: Scope) => {
    if (!isSearched) return undefined
    const isHere = each === scope && state === '' && result.isSuccess
    if (isHere && total !== undefined) return formatCount(total, false)
    const known = isHere && !counts[each] ? { count: rows.length, isMore: hasMore } : counts[each]
    return known && formatCount(known.count, known.isMore)
  }
  const hrefOf = (other: Scope) =>
    addressOf(
      'search',
      {},
      {
        search: text || undefined,
        scope: other,
        [`${owner.kind}_id`]: owner.kind === 'instance' ? undefined : owner.id,
      },
    )
  return (
    <>
      <PageHeader title="Search" details={<Owner owner={owner} text={text} scope={scope} />} />
      <SearchField
        label="Search for"
        placeholder="Search for"
        value={text}
        onSearch={(search) => setQuery({ search: search.trim() })}
        class={styles['field']}
      />
      {boot.user === null ? (
        <Empty icon={SearchIcon} title="Sign in to search." />
      ) : (
        <>
          <Tabs
            label="Kinds"
            tabs={scopes.map((each) => ({
              label: SCOPES[each].label,
              href: hrefOf(each),
              isCurrent: each === scope,
              count: countOf(each),
            }))}
          />
          <div class={styles['content']}>
            {states.length > 0 && (
              <Select
                label="State"
                hidesLabel
                class={styles['state']}
                value={state}
                onInput={(value) => setQuery({ state: value })}
                choices={states.map(([value, label]) => ({ value, label }))}
              />
            )}
            {(scope === 'blobs' || scope === 'wiki_blobs') && (
              <FileHint owner={owner} scope={scope} text={text} />
            )}
            {result.data?.pages.some(({ isIncomplete }) => isIncomplete) && (
              <Alert tone="warning">
                Not everything was searched in time. Search in a group or a project to find more.
              </Alert>
            )}
            {isSearched ? (
              <ReadRows
                of={{ rows, result }}
                outline={6}
                empty={<Empty icon={SearchIcon} title={`No ${SCOPES[scope].one} matches “${text}”.`} />}
              >
                <Results scope={scope} owner={owner} search={text} rows={rows} />
              </ReadRows>
            ) : (
              <Empty icon={SearchIcon} title="Type what to search for." />
            )}
            {isSearched && <LoadMore of="results" next={next} />}
          </div>
        </>
      )}
    </>
  )
}

interface OwnerProps {
  owner: SearchOwner
  text: string
  scope: Scope
}

/** Where the search looks, with a link that widens it. */
function Owner({ owner: { kind, id }, text, scope }: OwnerProps) {
  const project = useRead<{ path_with_namespace: string }>(kind === 'project' ? projectApi(id) : undefined)
  const group = useRead<{ full_path: string }>(kind === 'group' ? groupRecord(id) : undefined)
  if (kind === 'instance') return <>In all projects that you may see</>
  const path = project.data?.path_with_namespace ?? group.data?.full_path
  return (
    <>
      <span>In {path === undefined ? `the ${kind}` : <a href={`/${path}`}>{path}</a>}</span>
      <LinkButton
        size="small"
        kind="ghost"
        icon={X}
        href={addressOf(
          'search',
          {},
          { search: text || undefined, scope: scope === 'notes' ? 'issues' : scope },
        )}
      >
        Search everywhere
      </LinkButton>
    </>
  )
}

function FileHint({ owner, scope, text }: OwnerProps) {
  const { kind, id } = owner
  const project = useRead<{ path_with_namespace: string }>(
    kind === 'project' ? projectApi(id) : undefined,
  ).data
  return (
    <p class={styles['hint']}>
      Only in some files: <code>path:src</code>, <code>filename:*.test.ts</code>, <code>extension:md</code>.
      In all others: <code>-path:vendor</code>.
      {scope === 'blobs' && project && (
        <>
          {' '}
          <a
            href={addressOf(
              'code/search',
              { project: project.path_with_namespace },
              { search: text || undefined },
            )}
          >
            Search another branch
          </a>
        </>
      )}
    </p>
  )
}
