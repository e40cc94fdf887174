import { type Operation, operation, respond } from '../../http/operation.js'
import { signedIn } from '../../http/viewer.js'
import { changerOf } from '../repositories/change/change-refs.js'
import { readingFor } from '../repositories/reading-for.js'
import { commitInPath, commitRecord } from './about-commit.js'
import { addCommitComment } from './comments.js'
import { createCommit, type CreateCommitDeps } from './create-commit.js'
import type { CommitDeps } from './list-commits.js'
import {
  CherryPick,
  Comment,
  DryRun,
  NewComment,
  NewCommit,
  Revert,
  SingleCommit,
  UpdateSubmodule,
} from './schema.js'
import { transplantCommit } from './transplant-commit.js'
import { updateSubmodule } from './update-submodule.js'

export function changeOperations(deps: CreateCommitDeps): Operation[] {
  return [
    operation('POST /projects/:id/repository/commits', {
      summary: 'Create a commit with changes of multiple files',
      access: 'push_code',
      maxBodyBytes: deps.maxCommitBytes,
      params: NewCommit,
      exclusive: [['start_branch', 'start_sha']],
      responses: { 201: SingleCommit },
      run: async (call) => {
        const sha = await createCommit(deps, changerOf(call), readingFor(deps.pushes, call), call.params)
        return commitRecord(deps, call, sha, call.params.stats)
      },
    }),
    ...transplanting(deps),
    operation('PUT /projects/:id/repository/submodules/:submodule', {
      summary: 'Move a submodule to another commit, with a commit',
      access: 'push_code',
      params: UpdateSubmodule,
      responses: { 200: SingleCommit },
      run: async (call) => {
        const sha = await updateSubmodule(deps, changerOf(call), readingFor(deps.pushes, call), call.params)
        return commitRecord(deps, call, sha)
      },
    }),
    operation('POST /projects/:id/repository/commits/:sha/comments', {
      summary: 'Create a comment on a commit or on one of its changed lines',
      access: 'comment_on_commits',
      params: NewComment,
      responses: { 201: Comment },
      run: async (call) => {
        const { project, params } = call
        const user = signedIn(call.user)
        const sha = await commitInPath(deps, call)
        return addCommitComment(deps, { project, user, reading: readingFor(deps.pushes, call) }, sha, params)
      },
    }),
  ]
}

function transplanting(deps: CommitDeps): Operation[] {
  return [
    operation('POST /projects/:id/repository/commits/:sha/cherry_pick', {
      summary: 'Cherry-pick a commit',
      access: 'push_code',
      params: CherryPick,
      responses: { 201: SingleCommit, 200: DryRun },
      run: async (call) => {
        const about = {
          reading: readingFor(deps.pushes, call),
          sha: await commitInPath(deps, call),
          isRevert: false,
        }
        const made = await transplantCommit(deps, changerOf(call), about, call.params)
        return typeof made === 'string' ? respond(201, await commitRecord(deps, call, made)) : made
      },
    }),
    operation('POST /projects/:id/repository/commits/:sha/revert', {
      summary: 'Revert a commit',
      access: 'push_code',
      params: Revert,
      responses: { 201: SingleCommit, 200: DryRun },
      run: async (call) => {
        const about = {
          reading: readingFor(deps.pushes, call),
          sha: await commitInPath(deps, call),
          isRevert: true,
        }
        const made = await transplantCommit(deps, changerOf(call), about, call.params)
        return typeof made === 'string' ? respond(201, await commitRecord(deps, call, made)) : made
      },
    }),
  ]
}
