import { Boxes, Plus } from 'lucide'

import { addressOf } from '../../../../addresses/address-of.js'
import { boot } from '../../../api/boot.js'
import { useTitle } from '../../../frame/document-title.js'
import { LinkButton } from '../../../kit/button.js'
import { Empty } from '../../../kit/empty.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { ProjectList } from '../../../records/project-list.js'
import { ExploreTabs } from '../explore-tabs.js'
import styles from '../projects.module.css'

/** All projects that the reader may see. */
export function Page() {
  useTitle('Explore projects')
  return (
    <>
      <PageHeader
        title="Explore projects"
        actions={
          boot.user && (
            <LinkButton kind="primary" icon={Plus} href={addressOf('projects/new', {})}>
              New project
            </LinkButton>
          )
        }
      />
      <ExploreTabs current="projects" />
      <Panel isFlush class={styles['panel']}>
        <ProjectList
          label="Projects"
          list="/projects"
          fixed={{ archived: false }}
          hasVisibility={boot.user !== null}
          empty={
            <Empty icon={Boxes} title="There is no project that you may see.">
              {boot.user === null && 'Sign in to see the projects of your groups.'}
            </Empty>
          }
        />
      </Panel>
    </>
  )
}
