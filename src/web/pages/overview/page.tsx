import type { Found } from '../../frame/found.js'
import { GroupOverview } from './group-overview.js'
import { ProjectOverview } from './project-overview.js'
import { UserProfile } from './user-profile.js'

/** The page at the path of a project, a group or a user. */
export function Page({ params: { path }, found }: { params: { path: string }; found: Found }) {
  switch (found) {
    case 'project':
      return <ProjectOverview project={path} />
    case 'group':
      return <GroupOverview path={path} />
    default:
      return <UserProfile username={path} />
  }
}
