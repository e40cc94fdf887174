import { signedIn } from '../../http/viewer.js'
import type { CommandRunner } from '../commands.js'
import { runOnIssue } from './on-issue.js'
import { type MergeRequestCommandDeps, runOnMergeRequest } from './on-merge-request.js'

/** Quick actions of descriptions and comments (API, G1). */
export function commandRunner(deps: MergeRequestCommandDeps): CommandRunner {
  return {
    onIssue: (caller, iid, commands) =>
      runOnIssue(deps.database, { ...caller, user: signedIn(caller.user) }, iid, commands),
    onMergeRequest: (caller, iid, commands) =>
      runOnMergeRequest(deps, { ...caller, user: signedIn(caller.user) }, iid, commands),
  }
}
