import type { EngineRepositories } from '../../engine/engine-deps.js'
import type { Repositories } from '../../repositories/repositories.js'

/** What releases ask of git. */
export type ReleaseRepositories = Pick<EngineRepositories, 'resolveRef' | 'resolveCommit' | 'readCommit'> &
  Pick<Repositories, 'createTag'>
