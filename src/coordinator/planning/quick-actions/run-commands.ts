import { signedIn } from '../../http/viewer.js'
import type { CommandRunner } from '../commands.js'
import { runOnIssue } from './on-issue.js'
import { type MergeRequestCommandDeps, runOnMergeRequest } from './on-merge-request.js'

/** Quick actions of descriptions and comments (API, G1). */
export function commandRunner(deps: MergeRequestCommandDeps): CommandRunner {
  return {
    onIssue: (place, iid, commands) =>
      runOnIssue(deps.database, { ...place, user: signedIn(place.user) }, iid, commands),
    onMergeRequest: (place, iid, commands) =>
      runOnMergeRequest(deps, { ...place, user: signedIn(place.user) }, iid, commands),
  }
}
