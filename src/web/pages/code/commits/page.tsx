import { FileText, GitCommitHorizontal } from 'lucide'

import { addressOf, queryOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { ListedCommit } from '../../../../coordinator/hosting/commits/schema.js'
import { useReadList } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { LoadMore } from '../../../frame/load-more.js'
import { useSearch } from '../../../frame/location.js'
import { Problem, Read } from '../../../frame/problem.js'
import { Button, LinkButton } from '../../../kit/button.js'
import { Empty } from '../../../kit/empty.js'
import { Panel } from '../../../kit/panel.js'
import { SearchField } from '../../../kit/search-field.js'
import { Skeleton } from '../../../kit/skeleton.js'
import { fullDate } from '../../../kit/time.js'
import { CommitLine } from '../../../records/commit-line.js'
import { useCommitPipelines } from '../../../records/latest-pipelines.js'
import { CodeHeader } from '../code-header.js'
import { joinRefPath } from '../split-ref-path.js'
import { useRefPath } from '../use-ref-path.js'
import { byDay } from './by-day.js'
import styles from './page.module.css'

/** The history of a branch, or of a file or folder in it. */
export function Page({
  params: { project, ref_path: refPath },
}: {
  params: Record<'project' | 'ref_path', string>
}) {
  return (
    <Read of={useRefPath(project, refPath)} title="Commits">
      {({ ref, path }) =>
        ref === '' ? (
          <NoCommits project={project} />
        ) : (
          <Commits key={joinRefPath(ref, path)} project={project} refName={ref} path={path} />
        )
      }
    </Read>
  )
}

function NoCommits({ project }: { project: string }) {
  useTitle(`Commits · ${project}`)
  return (
    <>
      <h1 tabIndex={-1}>Commits</h1>
      <Empty
        icon={GitCommitHorizontal}
        title="The repository is empty."
        action={<LinkButton href={addressOf('overview', { path: project })}>How to push to it</LinkButton>}
      />
    </>
  )
}

function Commits({ project, refName, path }: { project: string; refName: string; path: string }) {
  useTitle(`Commits · ${path === '' ? refName : path} · ${project}`)
  const [search, setSearch] = useSearch()
  const words = search.get('search') ?? search.get('author') ?? ''
  const query = { ref_name: refName, path: path || undefined, search: words || undefined, per_page: 50 }
  const list = useReadList<ListedCommit>(`${projectApi(project)}/repository/commits${queryOf(query)}`)
  const pipelines = useCommitPipelines(
    project,
    list.rows.map(({ id }) => id),
  )
  const { result } = list
  return (
    <>
      <CodeHeader
        project={project}
        refName={refName}
        path={path}
        label="Commits"
        hrefOf={(name) => addressOf('code/commits', { project, ref_path: joinRefPath(name, path) })}
      >
        <SearchField
          label="Find commits"
          placeholder="Message, author or SHA"
          value={words}
          onSearch={(text) => setSearch({ search: text.trim(), author: undefined })}
        />
        {path !== '' && (
          <LinkButton
            icon={FileText}
            href={addressOf('code/file', { project, ref_path: joinRefPath(refName, path) })}
          >
            View file
          </LinkButton>
        )}
      </CodeHeader>
      {result.data ? (
        list.rows.length === 0 ? (
          <Panel isFlush>
            <Empty
              icon={GitCommitHorizontal}
              title={words === '' ? 'There is no commit here.' : 'No commit matches.'}
              action={
                words !== '' && (
                  <Button onClick={() => setSearch({ search: undefined, author: undefined })}>
                    Show all commits
                  </Button>
                )
              }
            />
          </Panel>
        ) : (
          byDay(list.rows).map(({ day, commits }, index) => (
            <Panel key={`${index} ${day}`} title={fullDate(`${day}T00:00`)} isFlush class={styles['day']}>
              <ul class={styles['commits']}>
                {commits.map((commit) => (
                  <li key={commit.id}>
                    <CommitLine project={project} commit={commit} pipeline={pipelines.get(commit.id)} />
                  </li>
                ))}
              </ul>
            </Panel>
          ))
        )
      ) : result.error ? (
        <Problem error={result.error} retry={() => void result.refetch()} />
      ) : (
        <Skeleton rows={12} />
      )}
      <LoadMore of="commits" next={list.next} />
    </>
  )
}
