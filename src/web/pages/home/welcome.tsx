import { Boxes } from 'lucide'

import { addressOf } from '../../../addresses/address-of.js'
import { useTitle } from '../../frame/document-title.js'
import { LinkButton } from '../../kit/button.js'
import { Empty } from '../../kit/empty.js'
import { PageHeader, Panel } from '../../kit/panel.js'
import { ProjectList } from '../../records/project-list.js'

/** Without a session: the public projects. */
export function Welcome() {
  useTitle('Public projects')
  return (
    <>
      <PageHeader
        title="Public projects"
        details="Sign in to see the projects of your groups, to run pipelines, and to push."
        actions={<LinkButton href={addressOf('projects/explore-groups', {})}>Explore groups</LinkButton>}
      />
      <Panel isFlush>
        <ProjectList
          label="Public projects"
          list="/projects"
          fixed={{ archived: false }}
          empty={<Empty icon={Boxes} title="There are no public projects here." />}
        />
      </Panel>
    </>
  )
}
