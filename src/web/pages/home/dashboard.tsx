import { Boxes, Compass, Download, Plus } from 'lucide'

import { addressOf } from '../../../addresses/address-of.js'
import type { BootUser } from '../../../coordinator/pages/schema.js'
import { boot } from '../../api/boot.js'
import { useTitle } from '../../frame/document-title.js'
import { LinkButton } from '../../kit/button.js'
import { CodeBlock } from '../../kit/code-block.js'
import { Empty } from '../../kit/empty.js'
import { PageHeader, Panel } from '../../kit/panel.js'
import { ProjectList } from '../../records/project-list.js'
import { ProjectPageActions } from '../../records/project-page-actions.js'
import styles from './dashboard.module.css'
import { NeedsYou } from './needs-you.js'
import { RunningNow } from './running-now.js'

/** What concerns the user: what runs, what needs a decision, and the projects. */
export function Dashboard({ user }: { user: BootUser }) {
  useTitle('Home')
  return (
    <>
      <PageHeader
        title="Home"
        details={
          <>
            <a href={addressOf('home/todos', {})}>To-dos</a>
            <a href={addressOf('merge-requests/own', {})}>Your merge requests</a>
            <a href={addressOf('issues/own', {})}>Your issues</a>
          </>
        }
        actions={<ProjectPageActions />}
      />
      <div class={styles['now']} data-stacked="narrow">
        <RunningNow userId={user.id} />
        <NeedsYou />
      </div>
      <Panel isFlush title={<a href={addressOf('projects/own', {})}>Your projects</a>}>
        <ProjectList
          label="Your projects"
          list="/projects"
          fixed={{ membership: true, archived: false }}
          hasStarred
          empty={<NoProjects user={user} />}
        />
      </Panel>
    </>
  )
}

/** How a newcomer gets to the first pipeline. */
function NoProjects({ user }: { user: BootUser }) {
  return (
    <Empty
      icon={Boxes}
      title="You are in no project yet."
      action={
        <>
          <LinkButton kind="primary" icon={Plus} href={addressOf('projects/new', {})}>
            New project
          </LinkButton>
          <LinkButton icon={Download} href={addressOf('projects/new', {}, {}, '#import')}>
            Import a repository
          </LinkButton>
          <LinkButton icon={Compass} href={addressOf('projects/explore', {})}>
            Look at public projects
          </LinkButton>
        </>
      }
    >
      <p>
        Create a project, then push a repository to it. A file named .gitlab-ci.yml in it starts pipelines:
      </p>
      <div class={styles['push']}>
        <CodeBlock
          text={`git push ${boot.external_url}/${user.username}/my-project.git main`}
          label="push command"
        />
      </div>
    </Empty>
  )
}
