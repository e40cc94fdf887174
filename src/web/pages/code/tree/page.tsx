import { FilePlus, FileSearch, FolderOpen, History, SearchCode } from 'lucide'

import { addressOf, queryOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { ListedCommit } from '../../../../coordinator/hosting/commits/schema.js'
import type { TreeEntry } from '../../../../coordinator/hosting/repository-contents/schema.js'
import type { RenderedFile } from '../../../../coordinator/hosting/repository-contents/view-schema.js'
import { useRead, useReadList } from '../../../api/use-read.js'
import { FileList } from '../../../code/file-list.js'
import { Rendered } from '../../../code/rendered.js'
import { useTreeCommits } from '../../../code/use-tree-commits.js'
import { useTitle } from '../../../frame/document-title.js'
import { LoadMore } from '../../../frame/load-more.js'
import { navigate } from '../../../frame/location.js'
import { Missing } from '../../../frame/missing.js'
import { Problem, Read } from '../../../frame/problem.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { LinkButton } from '../../../kit/button.js'
import { Empty } from '../../../kit/empty.js'
import { useKeys } from '../../../kit/keys.js'
import { Box, Panel } from '../../../kit/panel.js'
import { Skeleton } from '../../../kit/skeleton.js'
import { CommitBar } from '../../../records/commit-line.js'
import { CodeHeader } from '../code-header.js'
import { showPermalink } from '../show-permalink.js'
import { joinRefPath } from '../split-ref-path.js'
import { useRefPath } from '../use-ref-path.js'
import styles from './page.module.css'

/** A folder of the repository. */
export function Page({
  params: { project, ref_path: refPath },
}: {
  params: Record<'project' | 'ref_path', string>
}) {
  return (
    <Read of={useRefPath(project, refPath)} title="Files">
      {({ ref, path }) =>
        ref === '' ? (
          <NoFiles project={project} />
        ) : (
          <Folder key={joinRefPath(ref, path)} project={project} refName={ref} path={path} />
        )
      }
    </Read>
  )
}

function NoFiles({ project }: { project: string }) {
  useTitle(`Files · ${project}`)
  return (
    <>
      <h1 tabIndex={-1} class={styles['heading']}>
        Files
      </h1>
      <Empty
        icon={FolderOpen}
        title="The repository is empty."
        action={<LinkButton href={addressOf('overview', { path: project })}>How to push to it</LinkButton>}
      />
    </>
  )
}

interface FolderProps {
  project: string
  refName: string
  path: string
}

function Folder({ project, refName, path }: FolderProps) {
  useTitle(`${path === '' ? refName : path} · ${project}`)
  const base = `${projectApi(project)}/repository`
  const where = { ref: refName, path: path || undefined }
  const tree = useReadList<TreeEntry>(
    `${base}/tree${queryOf({ ...where, per_page: 100, pagination: 'keyset' })}`,
  )
  const commits = useTreeCommits(project, refName, path)
  const refPath = joinRefPath(refName, path)
  const { may, reasonAgainst } = useProjectAbilities(project)
  const findFile = addressOf('code/find-file', { project, ref: refName })
  useKeys({
    t: () => navigate(findFile),
    y: () =>
      void showPermalink(project, refName, (sha) =>
        addressOf('code/tree', { project, ref_path: joinRefPath(sha, path) }),
      ),
  })
  const { result } = tree
  return (
    <>
      <CodeHeader
        project={project}
        refName={refName}
        path={path}
        hrefOf={(name) => addressOf('code/tree', { project, ref_path: joinRefPath(name, path) })}
      >
        <LinkButton icon={FileSearch} href={findFile} title="Find file (t)">
          Find file
        </LinkButton>
        <LinkButton icon={SearchCode} href={addressOf('code/search', { project }, { ref: refName })}>
          Search code
        </LinkButton>
        <LinkButton icon={History} href={addressOf('code/commits', { project, ref_path: refPath })}>
          History
        </LinkButton>
        {may('push_code') && reasonAgainst('push_code') === undefined && (
          <LinkButton icon={FilePlus} href={addressOf('code/new-file', { project, ref_path: refPath })}>
            New file
          </LinkButton>
        )}
      </CodeHeader>
      <Box>
        <Missing what="Commits of files" failure={commits.failure} />
        {!result.error && <LastCommit project={project} refName={refName} path={path} />}
        {result.data ? (
          <FileList {...{ project, refName, path }} entries={tree.rows} read={commits} />
        ) : result.error ? (
          <div class={styles['problem']}>
            <Problem error={result.error} retry={() => void result.refetch()} />
          </div>
        ) : (
          <Skeleton rows={10} />
        )}
        <LoadMore of="files" next={tree.next} />
      </Box>
      {result.data && <FolderReadme project={project} refName={refName} path={path} entries={tree.rows} />}
    </>
  )
}

/** The commit that changed the folder last. */
function LastCommit({ project, refName, path }: FolderProps) {
  const query = queryOf({ ref_name: refName, path: path || undefined, per_page: 1 })
  const { data } = useRead<ListedCommit[]>(`${projectApi(project)}/repository/commits${query}`)
  return <CommitBar project={project} commit={data?.[0]} />
}

interface FolderReadmeProps extends FolderProps {
  entries: readonly TreeEntry[]
}

function FolderReadme({ project, refName, path, entries }: FolderReadmeProps) {
  const hasReadme = entries.some(({ name, type }) => type === 'blob' && /^readme(\.|$)/i.test(name))
  const query = queryOf({ ref: refName, dir: path || undefined })
  const { data } = useRead<RenderedFile>(
    hasReadme ? `${projectApi(project)}/repository/rendered${query}` : undefined,
  )
  if (!data?.path || data.html === null) return null
  const href = addressOf('code/file', { project, ref_path: joinRefPath(refName, data.path) })
  return (
    <Panel
      class={styles['readme']}
      title={<a href={href}>{data.path.slice(data.path.lastIndexOf('/') + 1)}</a>}
    >
      <Rendered html={data.html} below={2} />
    </Panel>
  )
}
