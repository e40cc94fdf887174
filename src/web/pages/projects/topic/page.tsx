import { Boxes } from 'lucide'

import { addressOf, queryOf } from '../../../../addresses/address-of.js'
import type { Topic } from '../../../../coordinator/hosting/topics/schema.js'
import { boot } from '../../../api/boot.js'
import { useRead } from '../../../api/use-read.js'
import { Markdown } from '../../../discussion/markdown.js'
import { useTitle } from '../../../frame/document-title.js'
import { Avatar } from '../../../kit/avatar.js'
import { Empty } from '../../../kit/empty.js'
import { PageHeader, Panel, Panels } from '../../../kit/panel.js'
import { ProjectList } from '../../../records/project-list.js'

/** A topic, and the projects that have it. */
export function Page({ params: { name } }: { params: { name: string } }) {
  // The API finds topics by a part of the name.
  const found = useRead<Topic[]>(`/topics${queryOf({ search: name, per_page: 100 })}`)
  const topic = found.data?.find((each) => each.name.toLowerCase() === name.toLowerCase())
  const title = topic?.title ?? name
  useTitle(`${title} · Topics`)
  return (
    <>
      <PageHeader
        title={
          <>
            <Avatar name={title} url={topic?.avatar_url ?? null} size={36} isSquare />
            {title}
          </>
        }
        details={<a href={addressOf('projects/topics', {})}>All topics</a>}
      />
      <Panels>
        {topic?.description && (
          <Panel>
            <Markdown project={undefined} text={topic.description} below={1} />
          </Panel>
        )}
        <Panel isFlush>
          <ProjectList
            label="Projects"
            list="/projects"
            fixed={{ topic: name, archived: false }}
            hasVisibility={boot.user !== null}
            empty={<Empty icon={Boxes} title="No project that you may see has this topic." />}
          />
        </Panel>
      </Panels>
    </>
  )
}
