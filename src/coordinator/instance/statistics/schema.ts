import { Type } from 'typebox'

import { described } from '../../http/parameters/described.js'

const count = (description: string) => described(Type.String(), description)

/** Counts are texts with separators of thousands (`1,234`), as clients of the reference expect. */
export const ApplicationStatistics = Type.Object({
  forks: count('Number of forks of projects.'),
  issues: count('Number of issues.'),
  merge_requests: count('Number of merge requests.'),
  notes: count('Number of notes.'),
  snippets: count('Number of snippets.'),
  ssh_keys: count('Number of SSH keys of users.'),
  milestones: count('Number of milestones.'),
  users: count('Number of users, with bots.'),
  groups: count('Number of groups.'),
  projects: count('Number of projects.'),
  active_users: count('Number of users who are not blocked or deactivated.'),
})
