import { Rocket } from 'lucide'

import { addressOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { Release } from '../../../../coordinator/hosting/releases/schema.js'
import { useReadList } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { LoadMore } from '../../../frame/load-more.js'
import { Problem } from '../../../frame/problem.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { LinkButton } from '../../../kit/button.js'
import { CodeBlock } from '../../../kit/code-block.js'
import { Empty } from '../../../kit/empty.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { Skeleton } from '../../../kit/skeleton.js'
import { useTagPipelines } from '../../../records/latest-pipelines.js'
import { latestTag } from '../notes-draft.js'
import { ReleaseAssets, ReleaseBadges, ReleaseFacts, ReleaseNotes } from '../release-card.js'
import styles from './page.module.css'

const EXAMPLE = `release:
  stage: deploy
  script: echo "Release $CI_COMMIT_TAG"
  rules:
    - if: $CI_COMMIT_TAG
  release:
    tag_name: $CI_COMMIT_TAG
    description: What is new in $CI_COMMIT_TAG
`

/** The releases of a project, the newest first. */
export function Page({ params: { project } }: { params: { project: string } }) {
  useTitle(`Releases · ${project}`)
  const { may, reasonAgainst } = useProjectAbilities(project)
  const list = useReadList<Release>(`${projectApi(project)}/releases?per_page=20`)
  const pipelines = useTagPipelines(project)
  const { result } = list
  const latest = latestTag(list.rows)
  const reason = reasonAgainst('manage_releases')
  return (
    <>
      <PageHeader
        title="Releases"
        actions={
          may('manage_releases') && (
            <LinkButton
              kind="primary"
              icon={Rocket}
              reason={reason}
              href={addressOf('releases/new', { project })}
            >
              New release
            </LinkButton>
          )
        }
      />
      {result.error && !result.data ? (
        <Problem error={result.error} retry={() => void result.refetch()} />
      ) : !result.data ? (
        <Panel>
          <Skeleton rows={8} />
        </Panel>
      ) : list.rows.length === 0 ? (
        <NoReleases mayCreate={may('manage_releases')} />
      ) : (
        <div class={styles['releases']}>
          {list.rows.map((release) => (
            <article key={release.tag_name} class={styles['release']} aria-label={release.name}>
              <header>
                <h2>
                  <a href={addressOf('releases/release', { project, tag: release.tag_name })}>
                    {release.name}
                  </a>
                  <ReleaseBadges release={release} isLatest={release.tag_name === latest} />
                </h2>
                <ReleaseFacts
                  project={project}
                  release={release}
                  pipeline={pipelines.get(release.tag_name)}
                />
              </header>
              <div class={styles['notes']}>
                <ReleaseNotes release={release} below={2} />
              </div>
              {release.assets.count > 0 && (
                <details class={styles['assets']} open={release.tag_name === latest}>
                  <summary>Assets ({release.assets.count})</summary>
                  <ReleaseAssets release={release} />
                </details>
              )}
            </article>
          ))}
        </div>
      )}
      <LoadMore of="releases" next={list.next} />
    </>
  )
}

function NoReleases({ mayCreate }: { mayCreate: boolean }) {
  return (
    <Panel isFlush>
      <Empty icon={Rocket} title="There is no release yet.">
        A release is a tag with notes and files to download.
        {mayCreate && ' Create one here, or let a job of the pipeline of a tag do it:'}
      </Empty>
      {mayCreate && (
        <div class={styles['example']}>
          <CodeBlock text={EXAMPLE} label="the job" />
        </div>
      )}
    </Panel>
  )
}
