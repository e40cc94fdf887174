import type { Found } from '../../frame/found.js'
import { useLoaded } from '../../frame/use-loaded.js'
import { ProjectOverview } from './project-overview.js'
import { ProjectSkeleton } from './project-skeleton.js'

/** The page at the path of a project, a group or a user. */
export function Page({ params: { path }, found }: { params: { path: string }; found: Found }) {
  switch (found) {
    case 'project':
      return <ProjectOverview project={path} />
    case 'group':
      return <Group path={path} />
    default:
      return <User username={path} />
  }
}

function Group({ path }: { path: string }) {
  const part = useLoaded(() => import('./group-overview.js'))
  return part ? <part.GroupOverview path={path} /> : <ProjectSkeleton />
}

function User({ username }: { username: string }) {
  const part = useLoaded(() => import('./user-profile.js'))
  return part ? <part.UserProfile username={username} /> : <ProjectSkeleton />
}
