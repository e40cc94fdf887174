import { FilePlus, FileSearch, History } from 'lucide'

import { addressOf, queryOf } from '../../../addresses/address-of.js'
import { projectApi } from '../../../addresses/first-reads.js'
import type { SingleCommit } from '../../../coordinator/hosting/commits/schema.js'
import type { TreeEntry } from '../../../coordinator/hosting/repository-contents/schema.js'
import { useRead, useReadList } from '../../api/use-read.js'
import { FileList } from '../../code/file-list.js'
import { RefPicker } from '../../code/ref-picker.js'
import { useTreeCommits } from '../../code/use-tree-commits.js'
import { LoadMore } from '../../frame/load-more.js'
import { navigate } from '../../frame/location.js'
import { Missing } from '../../frame/missing.js'
import { Problem } from '../../frame/problem.js'
import type { May } from '../../frame/use-abilities.js'
import { LinkButton } from '../../kit/button.js'
import { useKeys } from '../../kit/keys.js'
import { Box } from '../../kit/panel.js'
import { Skeleton } from '../../kit/skeleton.js'
import { CommitBar } from '../../records/commit-line.js'
import styles from './project-files.module.css'

interface ProjectFilesProps {
  project: string
  branch: string
  abilities: May
}

/** The files in the root of the default branch; their commits follow as the server finds them. */
export function ProjectFiles({ project, branch, abilities }: ProjectFilesProps) {
  const base = `${projectApi(project)}/repository`
  const tree = useReadList<TreeEntry>(
    `${base}/tree${queryOf({ ref: branch, per_page: 100, pagination: 'keyset' })}`,
  )
  const commits = useTreeCommits(project, branch, '')
  const findFile = addressOf('code/find-file', { project, ref: branch })
  useKeys({ t: () => navigate(findFile) })
  const { result } = tree
  return (
    <section class={styles['files']} aria-label="Repository">
      <div class={styles['tools']}>
        <RefPicker
          project={project}
          current={branch}
          hrefOf={(name) => addressOf('code/tree', { project, ref_path: name })}
        />
        <span class={styles['space']} />
        <LinkButton icon={FileSearch} href={findFile} title="Find file (t)">
          Find file
        </LinkButton>
        <LinkButton icon={History} href={addressOf('code/commits', { project, ref_path: branch })}>
          History
        </LinkButton>
        {abilities.may('push_code') && abilities.reasonAgainst('push_code') === undefined && (
          <LinkButton icon={FilePlus} href={addressOf('code/new-file', { project, ref_path: branch })}>
            New file
          </LinkButton>
        )}
      </div>
      <Box>
        <Missing what="Commits of files" failure={commits.failure} />
        <LastCommit project={project} branch={branch} />
        {result.data ? (
          <FileList project={project} refName={branch} path="" entries={tree.rows} read={commits} />
        ) : result.error ? (
          <div class={styles['problem']}>
            <Problem error={result.error} retry={() => void result.refetch()} />
          </div>
        ) : (
          <Skeleton rows={8} />
        )}
        <LoadMore of="files" next={tree.next} />
      </Box>
    </section>
  )
}

function LastCommit({ project, branch }: { project: string; branch: string }) {
  const { data } = useRead<SingleCommit>(
    `${projectApi(project)}/repository/commits/${encodeURIComponent(branch)}?stats=false`,
  )
  return <CommitBar project={project} commit={data} pipeline={data?.last_pipeline} />
}
