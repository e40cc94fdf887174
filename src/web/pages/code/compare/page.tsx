import { ArrowLeftRight, GitCompare, Play } from 'lucide'

import { addressOf, queryOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { SimpleProject } from '../../../../coordinator/hosting/projects/record/schema.js'
import type { Comparison } from '../../../../coordinator/hosting/repository-contents/schema.js'
import { RequestError } from '../../../api/client.js'
import { useRead } from '../../../api/use-read.js'
import { DiffView } from '../../../code/diff-view.js'
import { RefPicker } from '../../../code/ref-picker.js'
import { useMergeBase } from '../../../code/use-merge-base.js'
import { useTitle } from '../../../frame/document-title.js'
import { navigate } from '../../../frame/location.js'
import { Read } from '../../../frame/problem.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { IconButton, LinkButton } from '../../../kit/button.js'
import { formatCount } from '../../../kit/bytes.js'
import { Empty } from '../../../kit/empty.js'
import { CheckBox } from '../../../kit/field.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { CommitLine } from '../../../records/commit-line.js'
import { useCommitPipelines } from '../../../records/latest-pipelines.js'
import styles from './page.module.css'
import { joinRevisions, type Revisions, splitRevisions } from './split-revisions.js'

/** What one branch, tag or commit has that another one has not. */
export function Page({
  params: { project, revisions },
}: {
  params: Record<'project' | 'revisions', string>
}) {
  const record = useRead<SimpleProject>(projectApi(project), { staleTime: 60_000 })
  return (
    <Read of={record} title="Compare">
      {({ default_branch: branch }) => {
        if (branch === null) return <NothingToCompare project={project} />
        const { from, to, isStraight } = splitRevisions(revisions)
        return <Compare project={project} wanted={{ from: from || branch, to: to || branch, isStraight }} />
      }}
    </Read>
  )
}

function NothingToCompare({ project }: { project: string }) {
  useTitle(`Compare · ${project}`)
  return (
    <>
      <PageHeader title="Compare" />
      <Empty
        icon={GitCompare}
        title="The repository is empty."
        action={<LinkButton href={addressOf('overview', { path: project })}>How to push to it</LinkButton>}
      />
    </>
  )
}

function Compare({ project, wanted }: { project: string; wanted: Revisions }) {
  const { from, to, isStraight } = wanted
  useTitle(`${joinRevisions(wanted)} · ${project}`)
  const hrefOf = (changes: Partial<Revisions>) =>
    addressOf('code/compare', { project, revisions: joinRevisions({ ...wanted, ...changes }) })
  const isSame = from === to
  const comparison = useRead<Comparison>(
    isSame
      ? undefined
      : `${projectApi(project)}/repository/compare${queryOf({ from, to, straight: isStraight || undefined })}`,
  )
  return (
    <>
      <PageHeader title="Compare" actions={<RunPipeline project={project} refName={to} />} />
      <div class={styles['choice']}>
        <span class={styles['ref']}>
          <span class={styles['word']}>From</span>
          <RefPicker project={project} current={from} hrefOf={(name) => hrefOf({ from: name })} />
        </span>
        <IconButton
          icon={ArrowLeftRight}
          label="Swap"
          onClick={() => navigate(hrefOf({ from: to, to: from }))}
        />
        <span class={styles['ref']}>
          <span class={styles['word']}>to</span>
          <RefPicker project={project} current={to} hrefOf={(name) => hrefOf({ to: name })} />
        </span>
        <CheckBox
          label="Since their common ancestor"
          checked={!isStraight}
          onInput={(checked) => navigate(hrefOf({ isStraight: !checked }))}
        />
      </div>
      {isSame ? (
        <Empty icon={GitCompare} title="Choose two branches, tags or commits to compare." />
      ) : comparison.error instanceof RequestError && comparison.error.status === 404 ? (
        <Empty icon={GitCompare} title="Nothing to compare was found.">
          {from} or {to} is not a branch, a tag or a commit of this project.
        </Empty>
      ) : (
        <Read of={comparison}>
          {(response) => (
            <Compared
              key={joinRevisions(wanted)}
              project={project}
              revisions={wanted}
              comparison={response}
            />
          )}
        </Read>
      )}
    </>
  )
}

/** Runs a pipeline for the branch or tag that is compared. A commit alone has no pipeline. */
function RunPipeline({ project, refName }: { project: string; refName: string }) {
  const { may, reasonAgainst } = useProjectAbilities(project)
  if (!may('run_pipelines') || refName === '' || /^[0-9a-f]{7,40}$/.test(refName)) return null
  return (
    <LinkButton
      icon={Play}
      reason={reasonAgainst('run_pipelines')}
      href={addressOf('pipelines/new', { project }, { ref: refName })}
    >
      Run pipeline
    </LinkButton>
  )
}

interface ComparedProps {
  project: string
  revisions: Revisions
  comparison: Comparison
}

function Compared({
  project,
  revisions,
  comparison: { commit, commits, diffs, compare_timeout: isCut },
}: ComparedProps) {
  const pipelines = useCommitPipelines(
    project,
    commits.map(({ id }) => id),
  )
  const { from, to, isStraight } = revisions
  const mergeBase = useMergeBase(project, revisions, isStraight ? [] : diffs)
  if (commits.length === 0 && diffs.length === 0)
    return <Empty icon={GitCompare} title="There is nothing to compare: nothing has changed." />
  return (
    <>
      {commits.length > 0 && (
        <Panel
          isFlush
          class={styles['commits']}
          title={`${formatCount(commits.length)} ${commits.length === 1 ? 'commit' : 'commits'}`}
        >
          <ul class={styles['list']} tabIndex={0} aria-label="Commits">
            {commits.toReversed().map((one) => (
              <li key={one.id}>
                <CommitLine project={project} commit={one} pipeline={pipelines.get(one.id)} />
              </li>
            ))}
          </ul>
        </Panel>
      )}
      <DiffView
        project={project}
        base={isStraight ? from : mergeBase}
        head={commit?.id ?? to}
        entries={diffs}
        isCut={isCut}
      />
    </>
  )
}
